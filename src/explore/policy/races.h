/*
 * Data races of an exhaustive search: one per pair of places in the source, the first ones with a
 * recording.
 */
#ifndef HEDDLE_EXPLORE_POLICY_RACES_H
#define HEDDLE_EXPLORE_POLICY_RACES_H

#include "explore/policy/search.h"
#include "run/confirm/confirm.h"
#include "trace/bundle/bundle.h"

/* More recordings than anybody reads; a program with one race has thousands of pairs of sites. */
#define CHECK_RACES_RECORDED 20

/* A race in an execution that brings the two accesses together. */
struct check_recorded_race {
	struct trace_bundle *bundle;
	size_t events[2];
	char *dir; /* where the bundle is */
};

/* What they are recorded with. */
struct check_recorder {
	struct run_again again; /* of the search */
	const struct run_program *program;
	const char *version;
	const struct limit *limit;
	/* Keeps a bundle; *dir is where, for the recorder to free. */
	int (*keep)(void *arg, const struct trace_bundle *b, char **dir, struct err *e);
	void *arg;
};

struct check_race_log {
	VEC(struct check_recorded_race) items;
	uint64_t found;	      /* pairs of places, recorded or not */
	uint64_t unconfirmed; /* races that did not come back */
};

/*
 * Records races[0..n) in their order until there are enough of them or the command's limit is
 * reached; the first is recorded in any case.
 */
int check_races_record(struct check_race_log *x, const struct check_recorder *with,
		     const struct check_race *races, size_t n, struct err *e);

/* Forgets the recorded race at `at': it is not among those found either. */
void check_races_remove(struct check_race_log *x, size_t at);

void check_races_fini(struct check_race_log *x);

#endif
