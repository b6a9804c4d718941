/*
 * Schedules: sequences of choices (wire/event.h) that determine an execution.
 *
 * In compact form equal neighbours of kind RUN are one choice with a count; expanded, every RUN
 * stands for one step.  Both forms mean the same execution.
 *
 * As text, choices are words separated by blanks or newlines:
 *   T1       thread 1 does one step          T1.flush0   head of its store queue 0 reaches memory
 *   T1*12    … twelve steps                  T1.timeout  its timed wait expires
 *                                            T1.pick2    an internal choice took alternative 2
 * A pick outside any thread is written -.pick2; # starts a comment that lasts to the end of line.
 */
#ifndef HEDDLE_MODEL_SCHEDULE_H
#define HEDDLE_MODEL_SCHEDULE_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "wire/event.h"

struct model_schedule {
	VEC_FIELDS(struct wire_choice);
};

struct model_schedule_summary {
	uint64_t steps; /* operations performed: sum over RUN */
	uint64_t flushes, timeouts, picks, spurious;
	uint64_t switches; /* a step of another thread than the step before it */
	uint32_t threads;  /* that take at least one step */
};

/* Appends to *out; ERR_LIMIT when that would be more than limit choices. */
int model_schedule_expand(struct model_schedule *out, const struct wire_choice *choices, size_t n,
			  size_t limit, struct err *e);
void model_schedule_compact(struct model_schedule *out, const struct wire_choice *choices,
			    size_t n);

/*
 * Preemptions are not among the figures: whether the thread switched away from could have gone on
 * is not in a schedule.  The guest counts them (counter "preemptions" of a bundle).
 */
void model_schedule_count(struct model_schedule_summary *s, const struct wire_choice *choices,
			  size_t n);

/* One choice as a word, and many in lines of at most `width' characters (0: one per line). */
void model_choice_print(const struct wire_choice *c, struct strbuf *to);
void model_schedule_print(const struct wire_choice *choices, size_t n, size_t width,
			  struct strbuf *to);

/* Appends the choices in text to *out; ERR_FORMAT names the line and the word. */
int model_schedule_parse(struct model_schedule *out, const char *text, struct err *e);

#endif
