/*
 * A program as it is known so far: for each thread a tree of what it does.
 *
 * What a thread does is a function of what its reads returned.  A node of the tree stands for a
 * sequence of such values; its steps are what the thread does from there up to and including its
 * next read.  "Read" is meant widely: whatever the rest of the program has an influence on (what a
 * load returns, whether an attempt to lock succeeds, whether a wait expires) is the outcome of a
 * step, and leads to a child.  Trees grow with each execution of the program and are shared by all
 * executions that a search only thinks through (machine.h).
 *
 * Every step carries the footprint of the thread from there on, over all that is known below it.
 */
#ifndef HEDDLE_LEARN_LEARN_H
#define HEDDLE_LEARN_LEARN_H

#include "base/err.h"
#include "explore/learn/fds.h"
#include "explore/learn/foot.h"

enum learn_op {
	/* Memory first: others tell it by that. */
	LEARN_READ,	   /* R: value.  object, offset, size */
	LEARN_WRITE,	   /* value; THROUGH: waits for the buffers and goes to memory */
	LEARN_RMW,	   /* R: old value; the node says what it wrote */
	LEARN_READ_BYTES,  /* R: hash of the bytes.  offset, value = how many */
	LEARN_WRITE_BYTES, /* offset, value = how many, data */
	LEARN_READ_STRING, /* R: hash of the bytes up to the first 0.  offset, value = at most */
	LEARN_FENCE,	   /* waits for the buffers */
	LEARN_RELEASE,	   /* earlier stores reach memory before later ones */
	LEARN_LOCK,	   /* value = depth; TIMED R: 0 got it, 1 expired */
	LEARN_UNLOCK,	   /* value = depth after it */
	LEARN_TRYLOCK,	   /* R: enum learn_seen; the node says whether it took it */
	LEARN_RDLOCK,	   /* TIMED R as LOCK */
	LEARN_WRLOCK,
	LEARN_RWUNLOCK,
	LEARN_TRYRDLOCK, /* R: enum learn_seen */
	LEARN_TRYWRLOCK,
	LEARN_WAIT, /* object = condition, other = mutex */
	LEARN_WAKE, /* object = condition, other = mutex; TIMED R: 0 woken, 1 expired */
	LEARN_SIGNAL,
	LEARN_BROADCAST,
	LEARN_ARRIVE, /* R: 1 when it is the last one */
	LEARN_LEAVE,
	LEARN_TAKE, /* semaphore; TIMED R */
	LEARN_GIVE,
	LEARN_TRYTAKE,	   /* R: 1 when there is none */
	LEARN_COUNT,	   /* R: tokens */
	LEARN_ONCE,	   /* R: 0 begins it, 1 finds it done */
	LEARN_ONCE_END,	   /* value = done */
	LEARN_FUTEX_WAIT,  /* R: 1 when the word is not `value'; else asleep */
	LEARN_FUTEX_WAKE,  /* value = at most so many */
	LEARN_FUTEX_WOKEN, /* TIMED R: 0 woken, 1 expired */
	LEARN_FORK,	   /* other = thread */
	LEARN_JOIN,	   /* other = thread */
	LEARN_BEGIN,
	LEARN_END,
	LEARN_EXIT,
	LEARN_SET,     /* object begins anew; value = its number */
	LEARN_DESTROY, /* object is no longer to be used */
	LEARN_FREE,    /* objects of the block are no longer to be touched */
	LEARN_ALLOC,
	LEARN_RETURN, /* as FREE, of frames that have returned; comes with the step before it */
	LEARN_ENTER,  /* their place is used again, and holds what it held */
	LEARN_PARK, /* goes on when one of its last `value' reads would return something else; VAIN
		     */
	LEARN_FAIL, /* value = failure kind */
	LEARN_ASSUME,
	LEARN_LIMIT,
	LEARN_FD, /* R: fds_outcome().  value = call in struct learn.fds; blocks as the call does */
	LEARN_OPS,
};

/* The outcome of an RMW that failed for no reason where it found `value'. */
static inline uint64_t learn_spurious(uint64_t value)
{
	return value ^ UINT64_C(0x9c5d70a1b3e2f486);
}

/* What an attempt to lock finds. */
enum learn_seen { LEARN_FREE_LOCK, LEARN_OTHERS, LEARN_OWN };

enum learn_flag {
	LEARN_ATOMIC = 1,
	LEARN_TIMED = 2,
	LEARN_THROUGH = 4,
	LEARN_QUIET = 32,    /* a fence that is no point of its own when the buffers are empty */
	LEARN_EPOCH = 16,    /* a release store: what was issued before it reaches memory first */
	LEARN_ANNOUNCED = 8, /* the thread stood at it, but never did it yet */
	LEARN_GLUED = 64,    /* one step with the one before: nobody else goes on in between */
	LEARN_LEADS = 128,   /* glued ones may follow, which `classes' covers too */
};

#define LEARN_NONE UINT32_MAX

struct learn_step {
	uint8_t op, flags, size;
	uint8_t weak; /* RMW: a compare and swap that may fail for no reason; value = expected */
	uint32_t site, tix;
	uint32_t object, other;
	uint32_t offset; /* in the tracked memory */
	uint64_t value;
	uint32_t classes; /* interned in prints: what this step itself does */
	uint32_t future;  /* footprint of it and all that may follow */
	uint32_t data;	  /* WRITE_BYTES: place in struct learn.data */
	uint32_t objects; /* FREE, ALLOC, *_BYTES: interned set of the objects concerned */
	uint32_t lies_in; /* tracked memory in which its object lies, plus 1: gone with it */
	uint32_t visits;  /* how often the thread has been at this site before */
	bool outside;	  /* *_BYTES, READ_STRING: by a library function, byte by byte perhaps */
	bool split;    /* READ, WRITE: not aligned, so that it may lie in two lines of the cache */
	bool needless; /* waits for the buffers only because the guest does */
	bool polls;    /* with some outcome the thread is back where it was: learn_node.waits */
	bool vain;     /* PARK: behind it the thread is where its round began; no step follows */
};

struct learn_node {
	uint32_t parent, thread, depth;
	bool known, writes;
	/*
	 * With this outcome the thread has found nothing new in a loop that waits: it stands before
	 * the same read again, and nothing else is otherwise than before.  As long as that is what
	 * it would find, the read is no step but a wait (decision 015).
	 */
	bool waits;
	uint64_t value;	  /* outcome that leads here */
	uint64_t written; /* by the step before, when it is an RMW that writes */
	struct {
		VEC_FIELDS(struct learn_step);
	} steps;
};

enum learn_object_kind {
	LEARN_MEMORY, /* bytes always looked at as one thing: offset, size */
	LEARN_MUTEX,
	LEARN_RWLOCK,
	LEARN_CONDITION,
	LEARN_SEMAPHORE,
	LEARN_BARRIER,
	LEARN_ONCE_FLAG,
	LEARN_FUTEX,
	LEARN_DESCRIPTORS, /* all of the model's: a state in struct learn.fds */
};

struct learn_object {
	uint32_t kind, sync; /* sync: number among those that are not memory */
	uint32_t offset, size;
	uint64_t address;
	uint32_t first; /* number of a semaphore or barrier before the first step */
	bool unborn;	/* nobody may use it before it is initialised */
	bool revives;	/* was used after its end: a static initialiser, of which nobody hears */
};

struct learn_cursor {
	uint32_t node, pos;
};

struct learn_thread {
	uint32_t root, parent, child_index;
	uint64_t start; /* a number for what it was begun with: routine and argument */
	VEC(struct learn_cursor) forks; /* steps that begin it */
};

struct learn {
	VEC(struct learn_node) nodes; /* [0] is not used */
	VEC(struct learn_thread) threads;
	VEC(struct learn_object) objects;
	uint32_t syncs;
	VEC(uint8_t) memory; /* tracked bytes before the first step */
	VEC(uint8_t) data;
	struct foot foot;
	struct intern sets; /* objects of a step */
	struct learn_fds fds;
	uint32_t *table; /* children by parent and value */
	size_t capacity, used;
	uint64_t version;  /* raised when the footprint of a known step changed */
	bool tears;	   /* there is an access that others may see half done */
	bool folds;	   /* rounds that found nothing new are taken back (learn_fold()) */
	bool folded;	   /* one was */
	bool moves;	   /* what some step touches follows from memory, not from what it read */
	uint32_t clash[2]; /* sites of the last contradiction, SITE_NONE when there are none */
};

void learn_init(struct learn *l);
void learn_fini(struct learn *l);

/* The thread that `parent' begins as its child_index-th; main has parent LEARN_NONE. */
uint32_t learn_thread(struct learn *l, uint32_t parent, uint32_t child_index, uint64_t start);

static inline bool learn_reads(const struct learn_step *s)
{
	switch (s->op) {
	case LEARN_READ:
	case LEARN_RMW:
	case LEARN_READ_BYTES:
	case LEARN_READ_STRING:
	case LEARN_TRYLOCK:
	case LEARN_TRYRDLOCK:
	case LEARN_TRYWRLOCK:
	case LEARN_ARRIVE:
	case LEARN_TRYTAKE:
	case LEARN_COUNT:
	case LEARN_ONCE:
	case LEARN_FUTEX_WAIT:
	case LEARN_FD:
		return true;
	default:
		return s->flags & LEARN_TIMED;
	}
}

/* Whether a processor may be seen in the middle of an access of so many bytes. */
static inline bool learn_may_tear(const struct learn_step *s, uint32_t bytes)
{
	if (bytes <= 1 || (s->flags & LEARN_ATOMIC))
		return false;
	return s->outside || s->split || bytes > 8 || (bytes & (bytes - 1));
}

/* The child of node for an outcome; 0 when it is not there. */
uint32_t learn_look(const struct learn *l, uint32_t node, uint64_t value);
/* The same, made when it is not there. */
uint32_t learn_child(struct learn *l, uint32_t node, uint64_t value);
/* For tests: how far all children together are from their first place in the hash table. */
uint64_t learn_probes(const struct learn *l);

/* Whether the thread, at a read in node, would find itself there again with this outcome. */
static inline bool learn_waits(const struct learn *l, const struct learn_step *read, uint32_t node,
			       uint64_t value)
{
	return read->polls && l->nodes.items[learn_look(l, node, value)].waits;
}

/* The step at a cursor, NULL when it is not known. */
static inline const struct learn_step *learn_at(const struct learn *l, struct learn_cursor c)
{
	const struct learn_node *n = &l->nodes.items[c.node];

	return c.pos < n->steps.count ? &n->steps.items[c.pos] : NULL;
}

/*
 * The thread at *c does s: compares with what is known or takes it over, and moves on.
 * ERR_MISMATCH when the thread did something else than before after the same outcomes: then
 * something that is not modelled has an influence.
 */
int learn_follow(struct learn *l, struct learn_cursor *c, const struct learn_step *s,
		 struct err *e);
/*
 * The step at *c is done in one piece with `glued', which follows it: what it touches counts as
 * touched by both.
 */
void learn_lead(struct learn *l, struct learn_cursor c, const struct learn_step *glued);
/*
 * The thread does, or stands at, a PARK in the node of *c, at the end of a round of a loop whose
 * first event had this tix.  When the round was one read and nothing else, its outcome is one to
 * wait with: then true, and *c is before the read again.
 */
bool learn_wait(struct learn *l, struct learn_cursor *c, uint32_t begin);
/*
 * The same for rounds of more than one read: behind the PARK the thread stands where the round
 * began.  An execution that goes through such a round is one without it, in which the thread took a
 * look only later; so nobody needs to go on behind the PARK, and trees do not grow there.  True
 * when the round is of steps that leave nothing behind; *c is at its first one then.
 */
bool learn_fold(struct learn *l, struct learn_cursor *c, uint32_t begin);
/* The thread stands at s without having done it. */
int learn_announce(struct learn *l, const struct learn_cursor *c, const struct learn_step *s,
		   struct err *e);
/* The step before *c, a read, had this outcome. */
void learn_outcome(struct learn *l, struct learn_cursor *c, uint64_t value, bool writes,
		   uint64_t written);

/*
 * Brings footprints up to date after an execution in which the threads came as far as the
 * cursors say (by thread; node 0: did not run).
 */
void learn_settle(struct learn *l, const struct learn_cursor *ends, size_t n);

#endif
