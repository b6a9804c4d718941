/* What weak memory has to do with a failure, in words and for programs. */
#ifndef HEDDLE_REPORT_WEAK_H
#define HEDDLE_REPORT_WEAK_H

#include "base/json_out.h"
#include "base/strbuf.h"
#include "model/weak.h"
#include "trace/bundle/bundle.h"

/*
 * Lines ended by newlines, without indentation: which memory model the failure needs and what that
 * rests on, the late stores of the execution (model/delay.h), the fences that remove it.  w may be
 * NULL: then only the late stores.  Nothing under SC.
 */
void report_weak_lines(const struct trace_bundle *b, const struct model_weak *w, struct strbuf *to);

/* The same without the fences. */
void report_weak_story(const struct trace_bundle *b, const struct model_weak *w, struct strbuf *to);

/* Members "late_stores" (an array) and, when w is not NULL, "memory" (an object); or nothing. */
void report_weak_json(struct json_out *j, const struct trace_bundle *b, const struct model_weak *w);

#endif
