/*
 * What a collector keeps: partial logs by the hash of their contents, the failures they are of (by
 * build and signature), which elements they cover, and what came of merging them.
 *
 * In one SQLite file ("sqlite:FILE") or in PostgreSQL ("postgresql://…"), where several daemons may
 * work on one database.  What an addition said is there is there: after a crash of the process, of
 * the machine, and for every other daemon.  A handle is used by one thread at a time.
 */
#ifndef HEDDLE_STORE_LOGS_H
#define HEDDLE_STORE_LOGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/sha256.h"
#include "base/strbuf.h"
#include "base/vec.h"

#define STORE_BUILD_BYTES 20

struct store_logs;

/* ERR_USAGE when it is neither; ERR_IO, ERR_FORMAT, ERR_VERSION. */
int store_logs_open(const char *where, struct store_logs **out, struct err *e);
void store_logs_close(struct store_logs *s);

struct store_log {
	uint8_t hash[SHA256_BYTES];
	uint8_t build[STORE_BUILD_BYTES];
	const char *signature; /* valid UTF-8; "" of passing runs */
	uint8_t outcome;
	uint32_t elements; /* of the program */
	uint64_t time;	   /* seconds, when it came */
	const void *bytes; /* as they are kept */
	size_t n;
	const uint8_t *cover; /* a bit per element that it has: (elements + 7) / 8 bytes */
};

struct store_quota {
	uint64_t logs;	   /* of one failure */
	uint64_t failures; /* in all */
	uint64_t bytes;	   /* of all logs */
};

enum store_added {
	STORE_FRESH,
	STORE_KNOWN, /* it was there */
	STORE_FULL,  /* the quota does not allow it */
	STORE_ODD,   /* logs of this build have another number of elements */
};

/* All in one transaction; out[i] says what became of logs[i].  On an error none was added. */
int store_logs_add(struct store_logs *s, const struct store_log *const *logs, size_t n,
		   const struct store_quota *quota, enum store_added *out, struct err *e);

int store_logs_has(struct store_logs *s, const uint8_t hash[SHA256_BYTES], bool *has,
		   struct err *e);
/* Appends the bytes as they are kept.  ERR_NOT_FOUND. */
int store_logs_get(struct store_logs *s, const uint8_t hash[SHA256_BYTES], struct strbuf *to,
		   struct err *e);

/* The hashes of a failure's logs, oldest first, a line each. */
int store_logs_hashes(struct store_logs *s, int64_t failure, struct strbuf *to, struct err *e);

enum store_merge {
	STORE_MERGE_NONE,	  /* not tried */
	STORE_MERGE_RUNS,	  /* by some daemon, until its lease ends */
	STORE_MERGE_REPRODUCED,	  /* there is a bundle */
	STORE_MERGE_INCONCLUSIVE, /* not within the limits */
	STORE_MERGE_FAILED,	  /* the job could not be done */
	STORE_MERGES,
};

struct store_failure {
	int64_t id;
	uint8_t build[STORE_BUILD_BYTES];
	char *signature;
	uint8_t outcome;
	uint32_t elements, covered;
	uint64_t logs, bytes, first, last; /* seconds */
	enum store_merge state;
	uint64_t tried; /* with so many logs */
	uint64_t until; /* the end of the lease, in seconds */
	char *text;	/* what came out of merging */
};

struct store_failures {
	VEC_FIELDS(struct store_failure);
};

/* By build, most logs first. */
int store_logs_failures(struct store_logs *s, struct store_failures *out, struct err *e);
void store_failures_fini(struct store_failures *f);

typedef int (*store_log_fn)(void *arg, const void *bytes, size_t n, struct err *e);
/* At most `limit' logs of a failure, newest first. */
int store_logs_each(struct store_logs *s, int64_t failure, uint64_t limit, store_log_fn each,
		    void *arg, struct err *e);

/*
 * Takes the merge of a failure for this daemon until then; *got is false when another one has it
 * at this moment or it is reproduced already.
 */
int store_merge_claim(struct store_logs *s, int64_t failure, uint64_t now, uint64_t until,
		      bool *got, struct err *e);
/* What came of it, with how many logs; bundle may be NULL. */
int store_merge_end(struct store_logs *s, const struct store_failure *f,
		    const struct strbuf *bundle, struct err *e);
/* ERR_NOT_FOUND when there is none. */
int store_merge_bundle(struct store_logs *s, int64_t failure, struct strbuf *to, struct err *e);

#endif
