/*
 * Partial logs: the order in which threads came to a few shared elements in one run.
 *
 * An *element* is a unit whose accesses are logged: a variable, a field, a lock.  Its *access
 * vector* is the sequence of the threads that accessed it, here in runs of equal ones.  Elements
 * have numbers that depend on the program alone, so that logs of different profiles can be
 * compared; threads have names that do not depend on the schedule: the main thread is "0", the j-th
 * thread that t creates "t:j" (Steven et al., jRapture, ISSTA 2000).
 *
 * After Machado, Romano and Rodrigues, CoopREP (TOPLAS 2015).
 */
#ifndef HEDDLE_COOP_LOG_H
#define HEDDLE_COOP_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "wire/coop.h"

enum coop_outcome {
	COOP_OK,
	COOP_CRASH,
	COOP_HANG,
	COOP_WRONG,
	COOP_OUTCOMES,
};

struct coop_run {
	uint32_t thread; /* index into the log's threads */
	uint64_t length;
};

struct coop_vector {
	uint32_t element;
	uint64_t accesses; /* sum of the lengths */
	uint64_t hash;	   /* of names and lengths: the same in every log that has the same order */
	VEC(struct coop_run) runs; /* neighbours differ in their thread */
	char *provenance;	   /* of a merged log: the run it came from; NULL otherwise */
};

struct coop_log {
	uint16_t flavour; /* enum coop_flavour */
	uint8_t build[COOP_BUILD_BYTES];
	uint64_t run_id, time_ns;
	uint8_t outcome;
	char *signature;   /* of the failure; "" when there was none */
	uint32_t elements; /* of the program */
	VEC(char *) threads;
	VEC(struct coop_vector) vectors; /* ascending in their elements */
};

void coop_log_fini(struct coop_log *l);

/* The index of a thread's name, which is added when it is new. */
uint32_t coop_log_thread(struct coop_log *l, const char *name);
/* A new, empty vector behind the others; elements must come in ascending order. */
struct coop_vector *coop_log_add(struct coop_log *l, uint32_t element);
/* The vector of an element, NULL when it was not logged. */
const struct coop_vector *coop_log_vector(const struct coop_log *l, uint32_t element);

void coop_vector_push(struct coop_vector *v, uint32_t thread, uint64_t times);
/* Computes the hash; call it when all accesses are there. */
void coop_vector_seal(const struct coop_log *l, struct coop_vector *v);
/* The same order by the same names? */
bool coop_vector_equal(const struct coop_log *a, const struct coop_vector *u,
		       const struct coop_log *b, const struct coop_vector *v);

/* "0", "0:1:2": what a thread may be called. */
bool coop_thread_name_is(const char *name);

/*
 * The bytes of a log, heddle-coop(5).  Decoding trusts nothing: ERR_FORMAT, ERR_VERSION,
 * ERR_CHECKSUM; *l must be zeroed and is zeroed again after an error.
 */
void coop_log_encode(const struct coop_log *l, struct strbuf *to);
int coop_log_decode(struct coop_log *l, const void *bytes, size_t n, struct err *e);
int coop_log_read(const char *path, struct coop_log *l, struct err *e);

/* For people: one line per element, "NAME: [T0 x3, T0:1 x2]"; names may be NULL. */
void coop_log_text(const struct coop_log *l, const char *const *names, struct strbuf *to);

/* Leaves only the vectors of the elements whose flag is set; wanted has l->elements flags. */
void coop_log_cut(struct coop_log *l, const bool *wanted);

#endif
