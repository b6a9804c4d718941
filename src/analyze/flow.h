/*
 * What holds at each point of each body, over all ways there: which locks are held, and which other
 * threads may be running that the thread of the body has made (or those have).
 *
 * Locks are *tokens*: the pointer that was locked, as a sum of values (form.h), and, when it can
 * only mean one mutex of the whole program, its location.  A token is held at a point when it is on
 * every way there; it is gone when a leaf of its sum may have another value, or when something is
 * unlocked that may be it.  What `trylock' gives is pending until a branch has looked at its
 * result.  What has run once (pthread_once, static variables) is held for writing meanwhile and for
 * reading ever after: two threads are kept apart by a common token that one of them holds for
 * writing.
 *
 * Threads are bits in `running'; `twice' says that more than one of them may run.  They are cleared
 * by a join of the handle, and on the way out of a loop that joins what a loop made (loops.h).
 */
#ifndef HEDDLE_ANALYZE_FLOW_H
#define HEDDLE_ANALYZE_FLOW_H

#include "analyze/form.h"
#include "analyze/whole.h"

#define FLOW_TOKENS 10

enum token_mode { TOKEN_READ, TOKEN_WRITE };

struct token {
	struct form form;
	uint32_t loc;  /* the one mutex it can be; LOC_NONE: one of several */
	uint32_t node; /* of the pointer */
	uint8_t mode;  /* enum token_mode */
	uint8_t count;
	bool once;	      /* never unlocked */
	LLVMValueRef pending; /* the call whose result decides; NULL: held */
};

struct state {
	bool reached;
	uint32_t count;
	uint32_t tokens[FLOW_TOKENS]; /* numbers, in order */
	uint64_t *running, *twice;    /* a bit per thread */
	uint64_t *may;		      /* a bit per acquisition: held on some way */
};

/* A place that acquires a lock. */
struct acquisition {
	uint32_t body;
	LLVMValueRef call;
	uint32_t token;
	bool tries;
};

struct access {
	uint32_t body;
	LLVMValueRef at;
	LLVMValueRef pointer; /* NULL: node alone says where */
	uint32_t node;
	uint64_t bytes; /* 0: not known */
	bool write, atomic, deep, frees;
	uint32_t state; /* number of a snapshot */
};

struct taken { /* a lock that is taken, and what is held then */
	uint32_t acquisition, state;
};

struct loops;

struct flow {
	struct whole *w;
	size_t thread_words, may_words;
	VEC(struct token) tokens;
	VEC(struct acquisition) acquisitions;
	struct state *entry, *leave; /* by body */
	bool *queued;
	VEC(uint32_t) queue;
	struct state *end;  /* by thread: when it ends */
	struct state *made; /* by thread: where it is made, before that */
	uint64_t **below;   /* by thread: what it makes, directly or not */
	struct loops *loops;
	VEC(struct state) snapshots; /* of what follows, after the fixpoint */
	VEC(struct access) accesses;
	VEC(struct taken) taken;
	bool collecting;
	bool stopped;
};

void flow_init(struct flow *f, struct whole *w);
void flow_fini(struct flow *f);
/* Everything above; accesses and acquisitions are listed in the order of bodies. */
void flow_solve(struct flow *f);

/* May two of the thread run at the same time? */
bool flow_beside_itself(const struct flow *f, uint32_t thread);
/* May b run beside the access of another thread? */
bool flow_beside(const struct flow *f, const struct access *a, const struct access *b);

static inline bool flow_bit(const uint64_t *bits, uint32_t i)
{
	return bits[i / 64] >> (i % 64) & 1;
}

#endif
