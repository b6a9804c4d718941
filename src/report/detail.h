/* What a failure was, in words. */
#ifndef HEDDLE_REPORT_DETAIL_H
#define HEDDLE_REPORT_DETAIL_H

#include "base/strbuf.h"
#include "trace/bundle/bundle.h"

/* One line without newline: what failed, in which thread, where. */
void report_detail_headline(const struct trace_bundle *b, struct strbuf *to);

/*
 * Further lines, each ended by a newline and without indentation: the program's own message, who
 * waits for whom in a deadlock, what object a faulting address belonged to.
 */
void report_detail_lines(const struct trace_bundle *b, struct strbuf *to);

/* Is the thread one of those that cannot go on? */
bool report_detail_stuck(const struct wire_thread *t);

#endif
