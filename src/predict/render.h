/* An analysis as text, JSON or SARIF 2.1.0, appended to a buffer. */
#ifndef HEDDLE_PREDICT_RENDER_H
#define HEDDLE_PREDICT_RENDER_H

#include "base/json_out.h"
#include "base/strbuf.h"
#include "predict/analysis.h"
#include "predict/stats.h"
#include "predict/table.h"
#include "predict/versus.h"

struct predict_report {
	const char *file;
	const char *ended; /* how the execution ended, when that is known */
	const struct predict_engine *engine;
	const struct predict_opts *opts;
	const struct predict_result *result;
	const struct predict_table *table;   /* NULL when not asked for */
	const struct predict_versus *versus; /* the same */
	struct predict_stats stats;
	double seconds;
	double read_seconds;   /* reading and settling */
	double linear_seconds; /* core, rows, happens-before, lockset count */
	uint64_t show;	       /* findings of a kind written out in text, 0 = all */
	bool witness;	       /* print every event of the witnesses */
	bool details;	       /* stage counters */
};

void predict_render_text(const struct predict_report *r, struct strbuf *to);
void predict_render_table(const struct predict_report *r, struct strbuf *to);
/* One member of an array of files. */
void predict_render_json(const struct predict_report *r, struct json_out *j);
/* The results of all files in one run. */
void predict_render_sarif(const struct predict_report *r, size_t n, const char *version,
			  struct strbuf *to);

#endif
