/* Files and directories. */
#ifndef HEDDLE_BASE_FS_H
#define HEDDLE_BASE_FS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/* Reads a whole regular file of at most limit bytes; *out is NUL-terminated, caller frees. */
int fs_read_file(const char *path, size_t limit, char **out, size_t *bytes, struct err *e);

/* Writes path atomically: a temporary file beside it, fsync, rename. */
int fs_write_file(const char *path, const void *bytes, size_t n, struct err *e);

/* mkdir -p. */
int fs_make_dirs(const char *path, struct err *e);

/* Removes a directory with the plain files in it (one level deep); absent is fine. */
int fs_remove_flat_dir(const char *path, struct err *e);

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
