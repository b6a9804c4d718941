/* Files and directories. */
#ifndef HEDDLE_BASE_FS_H
#define HEDDLE_BASE_FS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "base/err.h"

/* Reads a whole regular file of at most limit bytes; *out is NUL-terminated, caller frees. */
int fs_read_file(const char *path, size_t limit, char **out, size_t *bytes, struct err *e);

/* The same where others may have put a link in the place of the file: it is not followed. */
int fs_read_file_here(const char *path, size_t limit, char **out, size_t *bytes, struct err *e);

/* n bytes, or fewer at the end of the file; -1 with errno on failure. */
ssize_t fs_read_up_to(int fd, void *to, size_t n);

/* Writes all of it; -1 with errno when it cannot. */
int fs_write_all(int fd, const void *bytes, size_t n);

/*
 * The end of an output that others wrote to: what is still buffered is written, and an error of
 * that or of an earlier write is told (a full disk, a reader that went away).  Every stream a
 * command prints to goes through here before its exit code is given; it stays open.
 */
int fs_finish_output(FILE *stream, const char *name, struct err *e);

/* Writes path atomically: a temporary file beside it, fsync, rename. */
int fs_write_file(const char *path, const void *bytes, size_t n, struct err *e);

/* mkdir -p; what it makes is the user's alone. */
int fs_make_dirs(const char *path, struct err *e);

/* Where temporary files go: $TMPDIR, or /tmp. */
const char *fs_temporary_root(void);

/* A pattern for mkstemp() there, NAME.XXXXXX; caller frees. */
char *fs_temporary_pattern(const char *name);

/* A new directory there, the user's alone; *out is the caller's, NULL when it cannot be made. */
int fs_make_temporary_dir(const char *name, char **out, struct err *e);

/* Removes a directory with the plain files in it (one level deep); absent is fine. */
int fs_remove_flat_dir(const char *path, struct err *e);

/* Removes a directory with everything in it, as far as it can; follows no links. */
void fs_remove_tree(const char *path);

bool fs_exists(const char *path);
bool fs_is_dir(const char *path);
bool fs_is_file(const char *path); /* a regular file */

/* dir + "/" + name; caller frees. */
char *fs_join(const char *dir, const char *name);

/* Directory of the running executable, resolved; caller frees; never NULL. */
char *fs_self_dir(void);

/* First executable called name in PATH (or name itself when it has a slash); NULL when none. */
char *fs_find_program(const char *name);

/* FNV-1a, 64 bits; start with FS_HASH_START. */
#define FS_HASH_START UINT64_C(0xcbf29ce484222325)
uint64_t fs_hash(uint64_t hash, const void *bytes, size_t n);
int fs_hash_file(const char *path, uint64_t *hash, struct err *e);

#endif
