/*
 * The file of a cache (heddle-memo(5)): what is read is input and checked to the last number.
 *
 * Writers take turns by a lock beside the file and replace it as a whole, so that a reader sees the
 * one state or the other, and a writer that is killed leaves what was.
 */
#ifndef HEDDLE_MEMO_FILE_H
#define HEDDLE_MEMO_FILE_H

#include "memo/cache.h"

#define MEMO_FILE_MAX (UINT64_C(1) << 30)
#define MEMO_PATIENCE_S 60 /* what heddle-memo takes for a run at most; a signal ends it */

/* The cache as bytes. */
void memo_file_put(const struct memo_cache *c, struct strbuf *to);
/* The cache in the bytes; nothing is allocated when it fails. */
int memo_file_parse(const void *bytes, size_t n, struct memo_cache *out, struct err *e);

int memo_file_read(const char *path, struct memo_cache *out, struct err *e);
/* ERR_MISMATCH when it is of another build than this. */
int memo_file_read_for(const char *path, const uint8_t build[SHA256_BYTES], struct memo_cache *out,
		       struct err *e);
int memo_file_build(const char *program, uint8_t build[SHA256_BYTES], struct err *e);

/*
 * Reads the file (a new cache of the build when there is none), lets `change' work on it, writes it
 * again; alone among all that do so.  What change returns is returned, and if it is not 0 nothing
 * is written.
 */
int memo_file_update(const char *path, const uint8_t build[SHA256_BYTES],
		     int (*change)(void *arg, struct memo_cache *c, struct err *e), void *arg,
		     struct err *e);

#endif
