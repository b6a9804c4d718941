/*
 * A collector without its network: what is answered to a request.  The door to the network is
 * http.c.
 *
 * PUT /logs/SHA256 has two halves.  collect_service_begin() decides before the body is read whether
 * it may come; collect_service_take() makes a job for the writer of it; collect_service_added()
 * answers when the job is done.  Everything else is answered by collect_service_begin() alone.
 */
#ifndef HEDDLE_COLLECT_SERVICE_H
#define HEDDLE_COLLECT_SERVICE_H

#include <pthread.h>

#include "collect/admit.h"
#include "collect/count.h"
#include "collect/rate.h"
#include "collect/tokens.h"
#include "collect/writer.h"

struct collect_builds {
	VEC_FIELDS(struct collect_build { uint8_t id[STORE_BUILD_BYTES]; });
};

struct collect_service {
	struct collect_sizes sizes;
	struct store_quota quota;
	size_t memory;		      /* of bodies under way */
	_Atomic size_t used;	      /* of it */
	_Atomic bool ends;	      /* no more uploads */
	struct collect_tokens tokens; /* none: everybody may */
	struct collect_builds builds; /* none: all are taken */
	struct collect_rate rate;
	struct collect_counts counts;
	struct collect_writer *writer;
	struct store_logs *reader; /* under the lock */
	pthread_mutex_t lock;
};

enum collect_method { COLLECT_GET, COLLECT_HEAD, COLLECT_PUT, COLLECT_OTHER };

struct collect_request {
	enum collect_method method;
	const char *url;	   /* as it came */
	const char *authorization; /* NULL: none */
	const char *encoding;	   /* of the body; NULL: none was said */
	const char *length;	   /* NULL: none was said */
	bool chunked;
	uint64_t client;
};

struct collect_answer {
	unsigned status; /* 0: the body may come */
	const char *type;
	unsigned retry_after; /* seconds; 0: none */
	const char *name;     /* of a file to be saved, or NULL */
	struct strbuf body;
};

/* Opens the store.  The rest of *s is filled by the caller. */
int collect_service_open(struct collect_service *s, const char *store, struct err *e);
void collect_service_close(struct collect_service *s);

/* Answers, or says by a status of 0 that the body may come.  target is where it goes. */
void collect_service_begin(struct collect_service *s, const struct collect_request *r,
			   struct collect_target *target, struct collect_answer *a);

/*
 * So much of a body is there and takes memory: room is made for what came, not for what is
 * promised.  False when there is none; what was reserved is given back when the request is over.
 */
bool collect_service_reserve(struct collect_service *s, size_t n);
void collect_service_release(struct collect_service *s, size_t n);
void collect_service_busy(struct collect_service *s, struct collect_answer *a);

/* True: *u may go to the writer.  Otherwise answers. */
bool collect_service_take(struct collect_service *s, const struct collect_target *target,
			  struct strbuf *body, struct collect_upload *u, struct collect_answer *a);
void collect_service_added(struct collect_service *s, const struct collect_job *job,
			   struct collect_answer *a);

#endif
