/*
 * The one thread that adds to the store.  What waits is added in one transaction, so that a flush
 * to the disk is paid once for many; whoever handed a log in is told after the commit, not before.
 */
#ifndef HEDDLE_COLLECT_WRITER_H
#define HEDDLE_COLLECT_WRITER_H

#include <stdbool.h>

#include "collect/admit.h"
#include "collect/count.h"

/* Called by the thread of the writer, once, when rc and added are final. */
struct collect_job;
typedef void (*collect_done_fn)(struct collect_job *job);

struct collect_job {
	struct collect_upload upload;
	collect_done_fn done;
	void *arg;
	int rc; /* of the transaction */
	enum store_added added;
	struct collect_job *next;
};

struct collect_writer;

/* Opens a handle of its own; quota and counts are borrowed. */
int collect_writer_new(struct collect_writer **out, const char *store,
		       const struct store_quota *quota, struct collect_counts *counts,
		       struct err *e);
/* Takes the job, which lives until it is done. */
void collect_writer_add(struct collect_writer *w, struct collect_job *job);
/* Did the last transaction work? */
bool collect_writer_works(struct collect_writer *w);
/* Ends when everything that was handed in is done. */
void collect_writer_free(struct collect_writer *w);

#endif
