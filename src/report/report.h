/*
 * Reports: what a command found, in one format.
 *
 * A command fills a struct report, calls report_begin(), report_add() for each finding and
 * report_end() with the summary; the text gathers in `to', which the command prints.  A format is
 * one struct report_ops.
 */
#ifndef HEDDLE_REPORT_REPORT_H
#define HEDDLE_REPORT_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/json_out.h"
#include "base/strbuf.h"
#include "model/finding.h"
#include "trace/bundle/bundle.h"

struct report;
struct model_weak;

struct report_finding {
	const struct trace_bundle *bundle;
	const char *dir;	  /* where the bundle is; NULL when it was not kept */
	uint64_t count;		  /* runs that showed it, 0 when it says nothing */
	uint64_t switches_before; /* context switches before they were reduced, 0: they were not */
	const struct model_weak *weak; /* what weak memory has to do with it; NULL: nobody asked */
	const char *story; /* why, beside an execution that passes: lines; NULL: not known */
};

/* Two accesses that nothing keeps apart: events of an execution in which they come together. */
struct report_race {
	const struct trace_bundle *bundle;
	size_t events[2];
	const char *dir; /* where the bundle is */
};

/* An exhaustive search. */
struct report_search {
	const char *algorithm;
	bool complete;
	const char *reason; /* why it is not */
	uint64_t states, executions, learned, configs, nodes, questions, passes, diverged, limited;
	uint64_t reads, constraints, missed; /* classic and se with static dependences */
	uint64_t bytes, guest_ns, solver_ns, total_ns;
	double left;	  /* estimate of what is left, in parts of the whole; negative: unknown */
	uint64_t drawn;	  /* schedules beside it */
	uint64_t delayed; /* and in order of their delays */
	int64_t delays;	  /* all schedules with so many, or less, were run; -1: none */
	bool all_delays;  /* and none has more */
};

struct report_summary {
	const char *command, *program;
	const char *version; /* of heddle */
	const char *strategy, *model, *engine;
	const char *verdict; /* "clean", "failure", "inconclusive" */
	const char *text;    /* the verdict in one sentence */
	int exit_code;
	uint64_t seed, runs, failures, limits, steps, max_steps, ns;
	uint64_t bound;
	bool exhausted;
	bool show_stats;
	const struct report_search *search; /* NULL: there was none */
	const struct report_race *races;
	size_t race_count;
	uint64_t races_found; /* with those that were not recorded */
	bool races_fail;      /* a race is a failure */
	uint64_t known;	      /* findings that are no news and not in the report */
};

struct report_ops {
	const char *name;
	void (*begin)(struct report *r);
	void (*finding)(struct report *r, const struct report_finding *f);
	void (*end)(struct report *r, const struct report_summary *s);
	/* Formats over findings (formats.h): all of a command at once; NULL for others. */
	void (*write)(const struct findings *all, const char *command, const char *version,
		      struct strbuf *to);
};

struct report {
	const struct report_ops *ops;
	struct strbuf to;
	bool color;
	int width;	   /* columns, 0: 100 */
	int lines;	   /* most events shown, 0: 18 */
	uint64_t findings; /* so far */
	struct json_out json;
	struct findings gathered; /* for formats that need all of them at once */
};

void report_begin(struct report *r);
void report_add(struct report *r, const struct report_finding *f);
void report_end(struct report *r, const struct report_summary *s);

#endif
