/* Words for a finding: what, where, and why it can happen. */
#ifndef HEDDLE_PREDICT_EXPLAIN_H
#define HEDDLE_PREDICT_EXPLAIN_H

#include "base/strbuf.h"
#include "predict/find/analysis.h"

/* "T1 writes x at file.c:12, holding l" */
void predict_explain_event(const struct predict_trace *t, uint32_t e, struct strbuf *to);
/* One line: "x: T1 writes at file.c:12, T2 reads at file.c:30" */
void predict_explain_title(const struct predict_trace *t, const struct predict_finding *f,
			   struct strbuf *to);
/* Three sentences, for a feasible finding. */
void predict_explain_why(const struct predict_trace *t, const struct predict_finding *f,
			 struct strbuf *to);
/* "file.c:12" or "line 7 of the trace" when the source is not known. */
void predict_explain_place(const struct predict_trace *t, uint32_t e, struct strbuf *to);
/* Names of the locks held when e is about to happen, separated by ", "; "" when none. */
void predict_explain_held(const struct predict_trace *t, uint32_t e, struct strbuf *to);

#endif
