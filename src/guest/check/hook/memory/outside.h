/*
 * Calls of library functions whose effects on memory are known (wire/outside.h): one step, whose
 * accesses are recorded as parts of it.  What is read is told before the call, what is written
 * after it; nobody else runs in between, unless the function calls back.
 *
 * Tolerates: runs under control; elsewhere it does nothing.
 */
#ifndef HEDDLE_RT_HOOK_OUTSIDE_H
#define HEDDLE_RT_HOOK_OUTSIDE_H

#include "guest/check/rt.h"
#include "wire/outside_length.h"

struct outside_call {
	const char *effects;
	uint64_t *args; /* `count' of them, then OUTSIDE_SCRATCH words of ours */
	uint32_t count, site;
	int64_t result;
	bool after;    /* the call is over */
	uint64_t read; /* hash of what was read */
};

/* Argument i; 0 when there is none. */
static inline uint64_t outside_arg(const struct outside_call *k, uint32_t i)
{
	return i < k->count && i < OUTSIDE_ARGS ? k->args[i] : 0;
}

/* Whether one of the effects begins with c. */
bool outside_has(const char *effects, char c);

/* A step of its own for a call at that place: whoever interposes a function without a row. */
void outside_stand(uint32_t site);
/* The same for one that neither enters the kernel nor takes a lock, see rec_drain(). */
void outside_stand_light(uint32_t site);

/* A word of state (h, H, g) takes effect. */
void outside_state(struct outside_call *k, const char *word);

/* After the call: what it changed of a C++ stream that inline functions look at. */
void outside_stream_wrote(struct outside_call *k, const char *word);

/* The call reads or wrote these bytes; flags: of a READ_RANGE (wire/event.h). */
void outside_reads(struct outside_call *k, uint64_t addr, uint64_t bytes, uint32_t flags);
void outside_wrote(struct outside_call *k, uint64_t addr, uint64_t bytes);
/* It reads a string, at most `limit' bytes of it. */
void outside_reads_string(struct outside_call *k, uint64_t addr, uint64_t limit);
/* Bytes of the string with its NUL, at most limit.  A string that leaves its heap block fails. */
uint64_t outside_string(const struct outside_call *k, uint64_t addr, uint64_t limit);

/*
 * What formats say: strings that printf reads (before the call), results that printf or scanf
 * stores (after it).  list: the arguments are a va_list.
 */
void outside_printf(struct outside_call *k, uint32_t format, bool list);
void outside_scanf(struct outside_call *k, uint32_t format, bool list);

/* The effects of the function at an address; NULL when they are not known. */
const char *outside_find(const void *function);

/* Whether the function is one of those libraries that the table speaks of. */
bool outside_is_library(const void *function);

/* What user code sees of the environment: before a call that looks at it, after one that changes
 * it. */
void outside_environ_reads(struct outside_call *k);
void outside_environ_wrote(struct outside_call *k);
/* The same of time zones: what is to be compared, what has changed. */
void outside_zone_before(struct outside_call *k);
void outside_zone_wrote(struct outside_call *k);

/* A function that nobody knows is called: says so unless the user vouches for it. */
void outside_opaque(uint32_t site, heddle_site_ref where, const void *function);

#endif
