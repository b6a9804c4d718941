/*
 * Numbers of processes, threads and processors as the program sees them under control.  What the
 * kernel gives differs from run to run, from engine to engine and from machine to machine; values
 * that reach the program's memory must not.
 */
#ifndef HEDDLE_RT_HOOK_IDENT_H
#define HEDDLE_RT_HOOK_IDENT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* The process, and the kernel thread of main. */
#define IDENT_PID 1000

/* Processors: enough for programs that start a thread on each. */
#define IDENT_PROCESSORS 4

/* What gettid() returns in the current thread. */
pid_t ident_tid(void);
/* The current thread has begun another one, which got its number. */
void ident_begins(uint32_t site);
/* The kernel's number for one that the program uses; groups (negative) and 0 likewise. */
pid_t ident_real(pid_t pid);
/* The program's number for a child process, given out on first sight; 0 and -1 pass. */
pid_t ident_child(pid_t real);
/* Whether a child process that the program made is still running. */
bool ident_child_lives(void);

#endif
