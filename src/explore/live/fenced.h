/*
 * Fences of a job (wire/ctl.h) in the events of its executions.
 *
 * The guest honours them without logging anything.  For a search that thinks executions through they
 * must be steps: a full fence becomes a DRAIN event behind the store, a release makes the store one
 * of release order.
 */
#ifndef HEDDLE_CHECK_FENCED_H
#define HEDDLE_CHECK_FENCED_H

#include "base/vec.h"
#include "wire/ctl.h"

struct check_fenced {
	VEC_FIELDS(struct wire_event);
};

/* The n events with the job's fences among them; *out is filled anew. */
void check_fenced_write(struct check_fenced *out, const struct wire_job *job,
			const struct wire_event *events, size_t n);

#endif
