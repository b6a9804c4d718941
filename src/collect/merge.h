/*
 * The thread that merges: takes a failure that has enough new logs and whose program is there,
 * has heddle coop merge and heddle pack work on it in a worker, and keeps what came out.
 */
#ifndef HEDDLE_COLLECT_MERGE_H
#define HEDDLE_COLLECT_MERGE_H

#include <sys/types.h>

#include "collect/service.h"

struct collect_merge_opts {
	const char *store, *programs, *work;
	const char *user; /* NULL: who the collector is */
	uint64_t logs, attempts;
	unsigned seconds;
	size_t max_bundle;
};

struct collect_merge;

/* sizes and counts of the service are used; s is borrowed. */
int collect_merge_new(struct collect_merge **out, struct collect_service *s,
		      const struct collect_merge_opts *o, struct err *e);
/* Ends what is under way. */
void collect_merge_free(struct collect_merge *m);

#endif
