/*
 * Explanations (model/explanation.h) rendered: one content, several forms.
 */
#ifndef HEDDLE_REPORT_EXPLAIN_H
#define HEDDLE_REPORT_EXPLAIN_H

#include "base/json_out.h"
#include "base/strbuf.h"
#include "model/explanation.h"
#include "model/finding.h"

struct report_explain_opts {
	const char *bundle; /* as the user named it */
	bool color;
	int width;	     /* columns, 0: 100 */
	const char *version; /* of heddle */
};

/* One screen: the story, both schedules side by side, the advice, what to do next. */
void report_explain_term(const struct explanation *x, const struct report_explain_opts *o,
			 struct strbuf *to);
/* One JSON object. */
void report_explain_json(const struct explanation *x, const struct report_explain_opts *o,
			 struct strbuf *to);
/* Graphviz. */
void report_explain_dot(const struct explanation *x, struct strbuf *to);
/* Trace events, as the viewers of Chromium and Perfetto read them. */
void report_explain_chrome(const struct explanation *x, struct strbuf *to);
/* One page that needs nothing else. */
void report_explain_html(const struct explanation *x, const struct report_explain_opts *o,
			 struct strbuf *to);
/* SARIF: one result with a code flow, a thread flow per thread. */
void report_explain_sarif(const struct explanation *x, const struct report_explain_opts *o,
			  struct strbuf *to);

#endif
