/*
 * One observed execution as predict sees it: a total order of events, nothing but thread, operation
 * and object.  Front ends (the text readers, the bundle reader) fill it with predict_trace_add()
 * and predict_trace_pair(); predict_trace_settle() then checks it, repairs what can be repaired
 * with a stated effect, and derives the facts every analysis needs.
 *
 * After settle the trace satisfies, by construction: every event of a forked thread is after the
 * fork, every event of a joined thread before the join, signals precede their waits, critical
 * sections of one lock do not overlap (shared ones may), and rf of a read is the last write of that
 * location before it.  An event that could not be kept has become OP_NOP; `was' keeps what it said.
 *
 * Events may be glued together: a step is an event and those glued to it.  They follow each other
 * in the trace, and no reordering puts anything between them.  One that is about to happen is so as
 * part of its step: the step has not begun, and what comes before the event in it could happen now
 * (the parts of one access do not wait for each other).
 */
#ifndef HEDDLE_PREDICT_TRACE_H
#define HEDDLE_PREDICT_TRACE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/vec.h"
#include "predict/read/names.h"

#define PREDICT_NONE UINT32_MAX

/* X(NAME, word in the native text form) */
#define PREDICT_OPS(X)                                                                             \
	X(NOP, "nop")                                                                              \
	X(READ, "r")                                                                               \
	X(WRITE, "w")                                                                              \
	X(RMW, "rmw")                                                                              \
	X(ACQ, "acq")                                                                              \
	X(REL, "rel")                                                                              \
	X(FORK, "fork")                                                                            \
	X(JOIN, "join")                                                                            \
	X(SIG, "sig")                                                                              \
	X(WAIT, "wait")                                                                            \
	X(BRANCH, "br")                                                                            \
	X(BEGIN, "begin")                                                                          \
	X(END, "end")

enum predict_op {
#define X(name, word) OP_##name,
	PREDICT_OPS(X)
#undef X
};

enum predict_event_flag {
	PREDICT_ATOMIC = 1,   /* C11 atomic access */
	PREDICT_SHARED = 2,   /* read side of a read-write lock */
	PREDICT_TRY = 4,      /* acquisition that does not wait: trylock */
	PREDICT_FREE = 8,     /* write that stands for giving the memory back */
	PREDICT_STATE = 16,   /* of a made-up location: state of a lock, a wait, a descriptor */
	PREDICT_GLUED = 32,   /* one step with the event of its thread before it */
	PREDICT_PART = 128,   /* even one access with it; implies GLUED */
	PREDICT_HIDDEN = 256, /* of state that somebody else keeps for the program */
	PREDICT_BARRIER = 64, /* arrival at a barrier, or the leave that every arrival allows */
};

struct predict_event {
	uint32_t thread;
	uint32_t object;   /* location, lock, condition or thread; PREDICT_NONE when none */
	uint32_t line;	   /* of the input, or ordinal in a bundle; 1-based */
	uint32_t site;	   /* name in sites, PREDICT_NONE when unknown */
	uint32_t frame;	   /* innermost function it stands in, 0 when unknown */
	uint32_t branches; /* of its thread before it, when branches_known */
	uint8_t op;	   /* enum predict_op */
	uint8_t was;	   /* op before repair */
	uint16_t flags;	   /* enum predict_event_flag */
	uint32_t bytes;	   /* of an access to a part of its location; 0 = all of it */
	uint64_t addr;	   /* of that part */
};

struct predict_pair {
	uint32_t sig, wait;
};

/* An arrival at or a leave of one round of a barrier. */
struct predict_meeting {
	uint32_t event, round;
};

/* One function on a call stack; number 0 stands for the end of every stack. */
struct predict_frame {
	uint32_t parent; /* the caller's frame */
	uint32_t func;	 /* name in funcs */
	uint32_t call;	 /* name in sites: where the caller calls it, PREDICT_NONE when unknown */
};

/* A line of the input that asks something ("? race p q"), see ask.h. */
struct predict_asked {
	uint32_t line;
	char *text;
};

struct predict_warning {
	uint32_t line; /* 0: concerns the whole trace */
	char *text;
};

/* A list of open critical sections, newest first; 0 is the empty list. */
struct predict_held {
	uint32_t acq;  /* event */
	uint32_t next; /* predict_held */
	uint32_t set;  /* number of the lockset the list amounts to */
};

struct predict_trace {
	struct predict_names threads, locks, conds, locs, sites, labels, funcs;
	VEC(struct predict_event) events;
	VEC(struct predict_frame) frames;     /* frame number n is frames[n - 1] */
	VEC(struct predict_pair) pairs;	      /* sorted by wait after settle */
	VEC(struct predict_meeting) meetings; /* by event */
	uint32_t rounds;		      /* of barriers; each leave follows every arrival */
	VEC(uint32_t) label_event;	      /* by label: event */
	VEC(struct predict_warning) warnings;
	VEC(struct predict_asked) asked;
	bool has_branches;
	bool branches_known; /* events know how many branches came before; some are left out */

	/* Facts, filled by settle. */
	uint32_t thread_count;
	uint32_t *start;    /* [threads + 1] into order */
	uint32_t *order;    /* events thread by thread in program order */
	uint32_t *pos;	    /* of an event in its thread */
	uint32_t *rf;	    /* of a read or rmw; PREDICT_NONE = initial value */
	uint32_t *match;    /* acq <-> rel, PREDICT_NONE when open at the end */
	uint32_t *held;	    /* list open before the event executes */
	uint32_t *held_end; /* by thread: list open after its last event */
	uint32_t *fork_of;  /* by thread: its fork or PREDICT_NONE */
	uint32_t *head;	    /* by event: first of its step; NULL when every event is a step */
	uint32_t *tail;	    /* by event: last of its step; NULL with head */
	uint32_t
		*round_of; /* by event: round of a barrier, PREDICT_NONE, or NULL if none has one */
	uint32_t *arrivals; /* by round: how many there are */
	VEC(struct predict_held) lists;
	VEC(uint32_t) set_start; /* locksets: set s is set_codes[set_start[s] .. set_start[s+1]) */
	VEC(uint32_t) set_codes; /* lock * 2 + shared, ascending */
};

struct predict_trace *predict_trace_new(void);
void predict_trace_free(struct predict_trace *t);

/* Appends an event (was is set from op); returns its number. */
uint32_t predict_trace_add(struct predict_trace *t, struct predict_event event);
void predict_trace_ask(struct predict_trace *t, uint32_t line, const char *text, size_t bytes);
/* The wait was released by the signal; a wait may have many. */
void predict_trace_pair(struct predict_trace *t, uint32_t sig, uint32_t wait);
/* Event arrives in or leaves this round of a barrier; all arrivals come before the first leave. */
void predict_trace_meet(struct predict_trace *t, uint32_t round, uint32_t event);
void predict_trace_label(struct predict_trace *t, const char *text, size_t bytes, uint32_t event);
void predict_trace_warn(struct predict_trace *t, uint32_t line, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * Checks and derives.  With strict, the first thing that would need repair is an error
 * (ERR_FORMAT with its line); otherwise it is repaired and warned about.
 */
int predict_trace_settle(struct predict_trace *t, bool strict, struct err *e);

/* Event by label text ("p"), or "#12" for the twelfth event; PREDICT_NONE when there is none. */
uint32_t predict_trace_find(const struct predict_trace *t, const char *text, size_t bytes);

/* List of critical sections open right after event e. */
uint32_t predict_trace_held_after(const struct predict_trace *t, uint32_t e);
/* True when the two locksets have no lock in common that excludes (shared with shared does not). */
bool predict_trace_sets_disjoint(const struct predict_trace *t, uint32_t set1, uint32_t set2);

static inline bool predict_op_reads(uint8_t op)
{
	return op == OP_READ || op == OP_RMW;
}

static inline bool predict_op_writes(uint8_t op)
{
	return op == OP_WRITE || op == OP_RMW;
}

static inline bool predict_op_accesses(uint8_t op)
{
	return op == OP_READ || op == OP_WRITE || op == OP_RMW;
}

static inline uint32_t predict_trace_head(const struct predict_trace *t, uint32_t e)
{
	return t->head != NULL ? t->head[e] : e;
}

static inline uint32_t predict_trace_tail(const struct predict_trace *t, uint32_t e)
{
	return t->tail != NULL ? t->tail[e] : e;
}

/* Is the event a step by itself? */
static inline bool predict_trace_alone(const struct predict_trace *t, uint32_t e)
{
	return predict_trace_head(t, e) == predict_trace_tail(t, e);
}

/* First part of the access the event belongs to: what is before it in the step must happen first.
 */
uint32_t predict_trace_access(const struct predict_trace *t, uint32_t e);

/* Name of the object of an event, "" when it has none. */
const char *predict_trace_object(const struct predict_trace *t, uint32_t e);
const char *predict_op_word(uint8_t op);

#endif
