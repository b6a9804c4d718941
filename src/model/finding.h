/*
 * A finding: what an analysis says is wrong with a program.  Plain data that analyses fill and
 * reports render; neither knows the other.  Texts and lists belong to whoever made the finding and
 * must outlive the report.
 */
#ifndef HEDDLE_MODEL_FINDING_H
#define HEDDLE_MODEL_FINDING_H

#include <stddef.h>
#include <stdint.h>

#include "wire/event.h"

/* Position of an event in a bundle's log. */
typedef uint64_t event_index;
#define EVENT_INDEX_NONE UINT64_MAX

/* One place a finding speaks of. */
struct model_finding_place {
	const char *role;  /* "holds the lock", "writes", "was freed here" */
	uint16_t tid;	   /* THREAD_NONE when no thread matters */
	uint32_t site;	   /* SITE_NONE when unknown */
	event_index event; /* EVENT_INDEX_NONE when it is no logged event */
};

enum model_confidence {
	FINDING_WITNESSED, /* an execution showed it, and the bundle replays it */
	FINDING_PREDICTED, /* follows from an execution; a witness was computed, not run */
};

struct model_finding {
	const char *kind;    /* stable word for machines: "deadlock", "use-after-free" */
	const char *message; /* one sentence */
	enum model_confidence confidence;
	const struct model_finding_place *places; /* most important first */
	size_t place_count;
	const char *bundle; /* directory with a witness, NULL when there is none */
};

#endif
