/*
 * Files and other descriptors of the kernel as threads share them: an offset, and contents.
 *
 * Both are hidden state (rec/hidden.h), so the order in which threads use them is a behaviour. What
 * the bytes are is input and taken as it comes; they follow from what was done before.
 */
#ifndef HEDDLE_RT_HOOK_FILE_H
#define HEDDLE_RT_HOOK_FILE_H

#include "guest/check/rt.h"

enum file_use {
	FILE_READ, /* at the offset, which moves */
	FILE_WRITE,
	FILE_READ_AT,  /* elsewhere */
	FILE_WRITE_AT, /* also when it is cut or grows */
	FILE_SEEK,     /* and tells where it stands */
};

/* The current thread has used the descriptor so; glued to the event before. */
void file_used(int fd, enum file_use use, uint32_t site);
/*
 * Names of files, and numbers of descriptors of the kernel: a step of the current thread that depends
 * on them and changes them, before the call does so; path says of which.  Returns the place.
 */
uint32_t file_names_step(const char *call, const char *path);
/* The same for a call that gives out or takes back such a number. */
uint32_t file_number_step(const char *call, const char *path);
void file_number_moved(uint32_t site);
/* A descriptor of the model is made: the numbers of both kinds come from one store. */
void file_number_modelled(uint32_t site);
/*
 * Something that is neither a file nor standard input: a socket, a FIFO, inotify.  What it holds,
 * and when, may depend on what the threads do; so no search can know all.
 */
void file_outside(int fd, const char *call, uint32_t site);
/* The descriptor's file is mapped so that its contents are memory too. */
void file_mapped(int fd, uint32_t site);

#endif
