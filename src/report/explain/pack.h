/*
 * The operations of both executions, packed for the page.
 *
 * What operations say repeats: a *word* is a thread, a place, a text without the value, and the
 * memory it is about.  An operation is the number of its word and its value.  Where the passing
 * execution has the same operations as the failing one, a piece of it names them by number and
 * count.
 *
 * Of executions with very many operations, those far from everything that is shown are left out.
 */
#ifndef HEDDLE_REPORT_EXPLAIN_PACK_H
#define HEDDLE_REPORT_EXPLAIN_PACK_H

#include "base/lookup.h"
#include "report/explain/story.h"

struct pack_word {
	uint32_t thread, site, addr; /* site, addr: numbers of the page; UINT32_MAX: none */
	uint8_t op;		     /* 1 reads, 2 writes */
	char *text;
};

struct pack_op {
	uint32_t word, event;
	char *value; /* NULL: none */
};

struct pack_ops {
	VEC_FIELDS(struct pack_op);
};

struct pack {
	const struct report_story *s;
	VEC(struct pack_word) words;
	struct lookup by_word;
	VEC(uint64_t) addrs;
	struct lookup by_addr;
	VEC(const struct trace_site *) sites; /* the bundles' */
	VEC(const char *) files;
	struct pack_ops ops[2];
};

void pack_init(struct pack *p, const struct report_story *s);
void pack_fini(struct pack *p);

/* Number of the operation in the page for an event of the bundle; UINT32_MAX: it is not there. */
uint32_t pack_find(const struct pack *p, int side, uint32_t event);
/* Number of a place, added when it is new; UINT32_MAX when it has none. */
uint32_t pack_site(struct pack *p, const struct trace_site *s);

#endif
