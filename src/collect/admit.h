/*
 * What came over the network, and what becomes of it before it reaches the store.  Everything here
 * reads what somebody else wrote; nothing of it is ever a path.
 */
#ifndef HEDDLE_COLLECT_ADMIT_H
#define HEDDLE_COLLECT_ADMIT_H

#include "store/logs.h"

enum collect_route {
	COLLECT_PAGE,	  /* / */
	COLLECT_FAILURES, /* /failures */
	COLLECT_FAILURE,  /* /failures/ID */
	COLLECT_BUNDLE,	  /* /failures/ID/bundle */
	COLLECT_LOG,	  /* /logs/SHA256 */
	COLLECT_METRICS,
	COLLECT_HEALTH,
	COLLECT_NOWHERE,
};

struct collect_target {
	enum collect_route route;
	uint8_t hash[SHA256_BYTES]; /* of a log */
	int64_t failure;
};

void collect_route(const char *url, struct collect_target *to);

struct collect_sizes {
	size_t body;	   /* as it comes */
	size_t log;	   /* decompressed */
	uint32_t elements; /* of a program */
	uint32_t threads;
};

/* An upload that is a log and may be stored; owns everything the log points to. */
struct collect_upload {
	struct store_log log;
	struct strbuf body;
	char *signature;
	uint8_t *cover;
};

/*
 * Takes the body (and leaves it empty), plain or one zstd frame, whose contents must have the hash.
 * ERR_LIMIT: larger than the sizes allow; ERR_MISMATCH: other contents; ERR_FORMAT, ERR_CHECKSUM,
 * ERR_VERSION: no log.  *u must be zeroed and is so after an error.
 */
int collect_admit(struct collect_upload *u, struct strbuf *body, const uint8_t hash[SHA256_BYTES],
		  const struct collect_sizes *sizes, struct err *e);
void collect_upload_fini(struct collect_upload *u);

/* The log that was stored as these bytes. */
int collect_plain(const void *bytes, size_t n, const struct collect_sizes *sizes, struct strbuf *to,
		  struct err *e);

#endif
