/*
 * A finding: what an analysis says is wrong with a program, in words and places.  Analyses and
 * recordings are turned into findings, reports render them; neither knows the other.  A finding owns
 * its texts.
 */
#ifndef HEDDLE_MODEL_FINDING_H
#define HEDDLE_MODEL_FINDING_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

/* A place in the source. */
struct finding_place {
	char *file;	       /* NULL: not known */
	uint64_t line, column; /* 0: not known */
	char *function;	       /* NULL: not known */
	char *name;	       /* as the input writes it, "dir/file.c:12:3"; NULL: it does not */
};

/* Something that happens in it: an access, a request of a lock, the failure itself. */
struct finding_event {
	char *text; /* "T1 writes balance" */
	struct finding_place at;
	VEC(struct finding_place) stack; /* innermost first; empty: not known */
	uint64_t number;		 /* in the trace, from 1; 0: of no trace, nor what follows */
	uint64_t line;			 /* of the input that has it */
	char *thread, *object, *held;	 /* names; the locks held, separated by ", " */
	const char *operation;		 /* stable word for machines: "read" */
	char *created;			 /* "main at file.c:7", who made the thread; NULL: not known */
};

/* One step on the way to it. */
struct finding_step {
	char *thread; /* whose */
	char *text;
	struct finding_place at;
};

struct finding_prediction;

enum finding_level {
	FINDING_ERROR,	   /* it is wrong */
	FINDING_WARNING,   /* it is wrong, and the user asked only to be told */
	FINDING_UNDECIDED, /* it may be: the analysis came to no end */
	FINDING_EXCLUDED,  /* the user asked about it, and it cannot be */
};

struct finding {
	const char *rule; /* stable word for machines: "race", "deadlock", "use-after-free" */
	enum finding_level level;
	char *message;			    /* a sentence or a few */
	VEC(struct finding_event) events;   /* most important first */
	VEC(struct finding_step) flow;	    /* in order of execution, of all threads; may be empty */
	char *bundle;			    /* recording that shows it; NULL: there is none */
	bool suppressed;
	struct finding_prediction *prediction; /* NULL: it was seen to happen */
};

struct findings {
	VEC_FIELDS(struct finding);
};

/* Texts are copied; NULL stays NULL. */
struct finding_place finding_place(const char *file, uint64_t line, uint64_t column,
				   const char *function);

/* A new last finding, or event of a finding; valid until the next one is added. */
struct finding *findings_add(struct findings *all, const char *rule, enum finding_level level,
			     const char *message);
struct finding_event *finding_add_event(struct finding *f, const char *text,
					struct finding_place at);

/* A new last step of its flow. */
void finding_add_step(struct finding *f, const char *thread, const char *text,
		      struct finding_place at);

/* Appends all to another list; from is empty afterwards. */
void findings_move(struct findings *from, struct findings *to);

void findings_fini(struct findings *all);

#endif
