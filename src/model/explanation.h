/*
 * Why an execution failed, as plain data: the failing execution beside one that passes, what
 * differs between them, and what can be done about it.  The analysis fills it, reports render it;
 * neither knows the other.
 *
 * Both executions are whole bundles with markers.  Events are named by their index in the bundle of
 * their side.  Threads have the numbers of the failing execution: `tid' of the passing side says
 * which is which.
 */
#ifndef HEDDLE_MODEL_EXPLANATION_H
#define HEDDLE_MODEL_EXPLANATION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "model/weak.h"
#include "trace/bundle/bundle.h"

#define EXPLANATION_NONE UINT32_MAX

enum explanation_role {
	EXPLAINED_GETS = 1,	 /* gets something else on the other side */
	EXPLAINED_GIVES = 2,	 /* what it gets on this side comes from here */
	EXPLAINED_ELSEWHERE = 4, /* what it gets on the other side comes from here */
	EXPLAINED_FAILS = 8,	 /* the failure */
	EXPLAINED_STUCK = 16,	 /* no event: the thread stands here for ever */
	EXPLAINED_CONTEXT = 32,	 /* needed to understand it */
	EXPLAINED_PARTS = 64,	 /* the first thing a thread does otherwise */
	EXPLAINED_GOES_ON = 128, /* where it failed or stood on the other side, it goes on */
};

/* One line of a side. */
struct explanation_row {
	uint32_t event;	  /* EXPLANATION_NONE: stuck, see thread */
	uint32_t thread;  /* as the failing execution numbers it */
	uint32_t roles;	  /* enum explanation_role */
	uint32_t twin;	  /* row of the other side, EXPLANATION_NONE */
	uint32_t flow;	  /* that it belongs to, EXPLANATION_NONE */
	uint32_t skipped; /* operations between it and the row before */
};

struct explanation_side {
	struct trace_bundle bundle;
	char *dir; /* where the bundle is; NULL: nowhere */
	bool confirmed;
	VEC(uint32_t) thread; /* by tid: thread of the failing execution */
	VEC(struct explanation_row) rows;
	uint32_t operations; /* events that are no markers */
	uint32_t flows;	     /* of them: reads, each of which sees a write or the beginning */
};

/* Something that an operation gets from elsewhere than in the other execution. */
struct explanation_flow {
	bool memory;	  /* a read; else a lock, a wake-up, a block that is freed */
	bool root;	  /* one of those the failure was found to depend on */
	bool same;	  /* the passing execution has it, too: it lacks another root */
	uint32_t thread;  /* that gets it */
	uint32_t to[2];	  /* the operation in both executions; NONE: it stands before it */
	uint32_t from[2]; /* where it comes from; NONE: the beginning */
	uint64_t addr;	  /* of the memory or object, in the failing execution */
};

struct explanation_branch {
	uint32_t thread, site;
	uint32_t event;	 /* of the failing execution */
	uint64_t way[2]; /* taken; EXPLANATION_NONE: it was not reached */
};

enum explanation_advice_kind {
	ADVICE_ATOMIC,	   /* sites: of regions, first and last of each */
	ADVICE_ORDER,	   /* sites: what should come first, what after it */
	ADVICE_LOCK_ORDER, /* sites: pairs of taken and wanted */
	ADVICE_FENCE,	   /* sites: the store, and what should wait for it */
	ADVICE_WAKEUP,	   /* sites: the wait, then the signals; or see .again */
};

struct explanation_advice {
	enum explanation_advice_kind kind;
	bool again; /* WAKEUP: sites: from the check before a wait to what relies on it after it */
	bool broadcast; /* WAKEUP: a signal woke another thread; else nobody slept yet */
	VEC(uint32_t) sites;
	uint32_t thread;	    /* ATOMIC: whose */
	uint64_t keys[2];	    /* ORDER: of these operations alone; 0: of all at the places */
	uint32_t check;		    /* WAKEUP: what is read before the wait; SITE_NONE */
	uint32_t fence;		    /* FENCE: enum wire_fence_kind */
	bool checked;		    /* schedules that keep to it were run */
	uint64_t schedules, failed; /* so many; of them with the same failure */
	bool all;		    /* all executions of the program were looked at */
	uint64_t executions;	    /* different ones that keep to it and pass */
};

/* How far it is known that the roots decide. */
struct explanation_proof {
	bool decides;		  /* all that had them failed, and one without passes */
	bool proved;		  /* these are all executions of the program that there are */
	uint64_t with;		  /* executions in which all roots were as in the failing one */
	uint64_t failed;	  /* of them */
	uint64_t without, passed; /* executions without one of them; of them passed */
	uint64_t states;	  /* different ones by what their reads returned */
	uint64_t same_path;	  /* of those that passed; with the branches of the failing one */
	char not_all[128];	  /* why they are not all, when proved is false */
};

/* The first before the second, in the failing execution: events. */
struct explanation_ordering {
	uint32_t first, second;
};

struct explanation_orderings {
	VEC_FIELDS(struct explanation_ordering);
};

struct explanation {
	struct explanation_side failing, passing;
	bool found; /* a passing execution; else only the failing side is there */
	bool same_path;
	bool clean;			    /* the passing one ended without any failure */
	VEC(struct explanation_flow) flows; /* roots first */
	VEC(struct explanation_branch) branches;
	VEC(struct explanation_advice) advice;
	struct explanation_proof proof;
	/*
	 * Orderings that no passing execution on the same path keeps: of stretches of threads, of
	 * operations that conflict.  Empty: not known.
	 */
	struct explanation_orderings core[2];
	bool asked_weak;		    /* `weak' was asked for; else it says nothing */
	struct model_weak weak;		    /* TSO, PSO: what late stores have to do with it */
	uint32_t reversed;		    /* pairs whose order decides */
	uint64_t pairs, runs;		    /* tried */
	uint32_t switches_before, switches; /* of the failing one, before and after reduction */
	bool cut;			    /* not all candidates were tried */
	char reason[512];		    /* why nothing was found, or what is not known */
};

#define EXPLANATION_INIT                                                                           \
	{                                                                                          \
		.failing = {.bundle = TRACE_BUNDLE_INIT}, .passing = {                             \
			.bundle = TRACE_BUNDLE_INIT                                                \
		}                                                                                  \
	}

const char *explanation_advice_name(enum explanation_advice_kind kind);

/* Number of roots; of those that are reads. */
uint32_t explanation_roots(const struct explanation *x);
uint32_t explanation_root_reads(const struct explanation *x);

void explanation_fini(struct explanation *x);

#endif
