/*
 * The cache of schedules: which order of synchronisation was tested for which inputs.
 *
 * It is a decision tree.  An entry is a condition on the input, the part of a schedule that follows
 * while it holds, and the node with what comes after more of the input is known; a node is a list
 * of entries, best first.  What a run was given at the start decides among the entries of the root.
 * A path from the root to an entry without a further node is a *plan*: the conditions of the whole
 * and the whole order.
 *
 * Looking up is evaluation: the first entry whose condition holds, in the order of how often reuse
 * went well.  An entry that some other one of the same order makes needless is not added; equal
 * conditions with another order are kept as backups, for inputs nobody told us of.
 */
#ifndef HEDDLE_MEMO_CACHE_H
#define HEDDLE_MEMO_CACHE_H

#include "base/sha256.h"
#include "memo/terms.h"
#include "wire/memo.h"

#define MEMO_NONE UINT32_MAX
#define MEMO_BACKUPS 4 /* entries with equal conditions */

enum memo_label { MEMO_UNKNOWN, MEMO_GOOD, MEMO_BAD, MEMO_LABELS };
enum memo_slicing {
	MEMO_SLICING_SOUND, /* only conditions that cannot matter are dropped */
	MEMO_SLICING_FAST,  /* those without synchronisation up to their end are too: unsound */
	MEMO_SLICINGS
};

struct memo_schedule {
	VEC_FIELDS(struct memo_element);
};

struct memo_entry {
	struct memo_terms conditions;
	struct memo_schedule schedule;
	uint32_t child; /* node, MEMO_NONE: the run ends here */
	uint32_t id;	/* of the plan; 0 inside */
	uint64_t hits, successes;
	uint8_t label;
	uint8_t scheduler; /* as heddle stable numbers policies; of the plan */
	uint32_t races;	   /* of the order that nothing enforces: 0, or it is not used by itself */
};

struct memo_node {
	VEC(struct memo_entry) entries;
};

struct memo_cache {
	uint8_t build[SHA256_BYTES]; /* of the program */
	uint8_t slicing;
	uint32_t next_id;
	VEC(struct memo_node) nodes; /* 0: the root, when there is any */
};

/* A run cut where it was given more: conditions and order of each part. */
struct memo_part {
	struct memo_terms conditions;
	struct memo_schedule schedule;
};

/* Whether a implies b, for any input: 1 yes, 0 no, -1 nobody knows. */
typedef int (*memo_implies_fn)(void *arg, const struct memo_terms *a, const struct memo_terms *b);

struct memo_plan {
	const struct memo_entry *path[64];
	uint32_t count;
};

void memo_cache_init(struct memo_cache *c);
void memo_cache_free(struct memo_cache *c);
void memo_schedule_free(struct memo_schedule *s);
bool memo_schedule_equal(const struct memo_schedule *a, const struct memo_schedule *b);

/*
 * Adds a run; what it needs of the parts is copied.  The id of its plan, which may be an older one
 * that serves as well; 0 when there are backups enough.
 */
uint32_t memo_cache_insert(struct memo_cache *c, const struct memo_part *parts, size_t count,
			   const struct memo_entry *about, memo_implies_fn implies, void *arg);
/* The plan for what is given; never one that is bad, nor a racy one.  False: a miss. */
bool memo_cache_find(const struct memo_cache *c, const struct memo_given *given,
		     struct memo_plan *out);
/* The last entry of the plan with this id, NULL when there is none. */
struct memo_entry *memo_cache_plan(struct memo_cache *c, uint32_t id);
/* The plan was used; did the program come to its end in that order? */
void memo_cache_used(struct memo_cache *c, uint32_t id, bool well);
/* Everything of `from', of the same build and slicing, that is not in c yet. */
int memo_cache_merge(struct memo_cache *c, const struct memo_cache *from, memo_implies_fn implies,
		     void *arg, struct err *e);
/* Every path from the root to the end of a plan. */
void memo_cache_each(const struct memo_cache *c,
		     void (*visit)(void *arg, const struct memo_plan *plan), void *arg);
/* Whether nodes, ids, labels and orders are what they must be: of a cache from a file. */
int memo_cache_check(const struct memo_cache *c, struct err *e);

/* Same conditions written the same way. */
bool memo_terms_equal(const struct memo_terms *a, const struct memo_terms *b);
void memo_terms_copy(struct memo_terms *to, const struct memo_terms *from);

#endif
