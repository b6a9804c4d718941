/* What the files of the search share. */
#ifndef HEDDLE_HUNT_SEARCH_PRIV_H
#define HEDDLE_HUNT_SEARCH_PRIV_H

#include "hunt/asked.h"
#include "hunt/blocking.h"
#include "hunt/search.h"
#include "trace/elf/sites.h"

#define HUNT_INSTRUCTIONS UINT64_C(200000000) /* of a thread */
#define HUNT_ROUNDS 3			      /* of a loop that nobody led through */
#define HUNT_QUESTION_NS UINT64_C(20000000000)

/* A combination that waits to be executed. */
struct hunt_node {
	struct hunt_paths paths;
	uint32_t run;
	uint32_t flips;
	uint32_t distance; /* of the last flip from the end of its thread */
	uint64_t number;   /* in the order of discovery */
	uint64_t bytes;	   /* that its paths take */
	bool observed;	   /* the paths are those of the run */
	const char *what;  /* of the published order: the flips, and where paths come from */
};

/* Whether the other way of a point is a failure. */
struct hunt_point {
	uint64_t point, way;
	bool fails;
	uint32_t site;
};

/* Addresses that were followed at a place: its key, and the number. */
struct hunt_tried {
	uint64_t place, value;
};

struct hunt_run {
	struct follow_source source;
};

struct hunt_search {
	struct hunt_search_opts o;
	struct limit limit; /* narrower once something was found */
	uint64_t begin_ns, number;
	struct hunt_program program;
	struct trace_sites sites;
	VEC(struct hunt_run *) runs;
	VEC(struct hunt_node) queue;
	uint64_t queue_bytes;
	VEC(struct hunt_key) done; /* combinations, sorted */
	VEC(uint64_t) observed;	   /* hashes of paths that runs showed */
	VEC(struct hunt_point) points;
	VEC(struct hunt_tried) tried;
	VEC(uint32_t) found;	/* sites */
	VEC(uint32_t) asserted; /* sites asked about */
	struct hunt_blocking blocking;
	struct hunt_counts counts;
	bool cut; /* something was left out for a bound of ours */
};

/* The execution at hand. */
struct hunt_visit {
	struct hunt_search *s;
	const struct hunt_node *node;
	struct hunt_exec x;
	struct hunt_key key; /* of the combination */
};

/* Says why something is not decided; the first reason is kept. */
void hunt_undecided(struct hunt_search *s, uint32_t site, const char *why);

/* A question with its time; the limit is the search's. */
void hunt_search_ask(struct hunt_search *s, const struct hunt_exec *x, struct hunt_question *q,
		     struct hunt_reply *out);

/* Several, answered side by side; false: it is not worth it, and nothing was asked. */
bool hunt_search_ask_all(struct hunt_search *s, const struct hunt_exec *x, struct hunt_asked *items,
			 size_t n);

/* A new combination; takes over *paths. */
void hunt_push(struct hunt_search *s, const struct hunt_node *from, struct hunt_paths *paths,
	       uint32_t flips, uint32_t distance);

/* An order in which it fails was computed: a run has to show it. */
void hunt_candidate(struct hunt_visit *v, uint32_t site, const char *what,
		    const struct hunt_reply *r);
bool hunt_is_found(const struct hunt_search *s, uint32_t site);

/* What is asserted: by a thread at a place of its path. */
struct hunt_assertion {
	uint32_t site;
	uint64_t thread, place, nth;
};

/* No order breaks the assertion in this combination. */
void hunt_prove(struct hunt_visit *v, const struct hunt_assertion *a);
bool hunt_is_proved(const struct hunt_visit *v, const struct hunt_assertion *a);

/* Asks about every place where a thread could go another way. */
void hunt_flip_all(struct hunt_visit *v);
/* Of these only the assertions. */
void hunt_ask_assertions(struct hunt_visit *v);
/* Whether a way depends on shared memory; *fails: where its other way fails, or SYMEX_NONE. */
bool hunt_may_flip(struct hunt_visit *v, uint32_t t, size_t at, uint32_t *fails);

/*
 * Executes a combination and asks what is to be asked; false when it was executed before, or cannot
 * be.  keep: what was executed, to be freed by hunt_exec_fini(); NULL: of no interest.
 */
bool hunt_visit_node(struct hunt_search *s, const struct hunt_node *node, struct hunt_exec *keep);

/* Visits what waits, and what comes of it. */
void hunt_search_drain(struct hunt_search *s);

/* The search in the published order; published.c. */
void hunt_published(struct hunt_search *s);

#endif
