/* What an analysis found, in words and places for any report. */
#ifndef HEDDLE_PREDICT_PUBLISH_H
#define HEDDLE_PREDICT_PUBLISH_H

#include "model/prediction.h"
#include "predict/find/analysis.h"
#include "predict/find/table.h"

/* How much of it is wanted. */
struct predict_wishes {
	uint64_t show;	 /* findings of a kind, the others are brief; 0 = all */
	bool suppressed; /* those that are suppressed, too; otherwise they are brief */
	bool witness;	 /* every event of the witnesses */
	bool flow;	 /* the way to each, for formats that have code flows */
};

/*
 * Adds what the result says: findings, totals, warnings, stages.  What only the caller knows (file,
 * ended, statistics and seconds) is left as it is.
 */
void predict_publish(const struct predict_engine *engine, const struct predict_opts *opts,
		     const struct predict_result *result, const struct predict_wishes *wishes,
		     struct prediction *to);
void predict_publish_table(const struct predict_table *t, struct prediction *to);

#endif
