/*
 * What weak memory has to do with a failure: plain data that the search for fences (run/confirm/fence.h)
 * fills and reports render.
 */
#ifndef HEDDLE_MODEL_WEAK_H
#define HEDDLE_MODEL_WEAK_H

#include <stdbool.h>
#include <stdint.h>

#include "wire/ctl.h"

/* How hard a failure was looked for where none was found. */
enum model_search_kind {
	SEARCH_NONE,	 /* nobody looked */
	SEARCH_SAMPLE,	 /* in `count' runs, which are not all there are */
	SEARCH_COMPLETE, /* exhaustively: `count' states */
};

struct model_search {
	enum model_search_kind kind;
	uint64_t count;
};

#define MODEL_WEAK_TEXT 120

/* A place in words: "peterson.c:16" and the expression there, "flag[me]"; "" when not known. */
struct model_weak_place {
	char place[MODEL_WEAK_TEXT], name[MODEL_WEAK_TEXT];
};

struct model_weak_fence {
	struct wire_fence fence;
	bool both;   /* FULL after the store and RELEASE before it */
	bool atomic; /* the store is an atomic one already */
	struct model_weak_place store;
	/* FULL: the first load the store was late for; RELEASE: the store that came too late. */
	struct model_weak_place other;
};

struct model_weak {
	uint32_t found;		     /* enum wire_model the failure was found under */
	uint32_t needs;		     /* the strongest model it is known to show under */
	struct model_search rest[MODEL_COUNT]; /* by model: where it was looked for in vain */
	/* SC: the recorded schedule itself has no late store; else a search found another one. */
	bool by_schedule;
	unsigned fence_count; /* 0: no advice */
	struct model_weak_fence fences[WIRE_MAX_FENCES];
	struct model_search with; /* with all of the fences it was looked for in vain */
	uint64_t searches;	  /* made for the advice */
	char why[200];		  /* why there is no advice although weak memory is needed; or "" */
};

#endif
