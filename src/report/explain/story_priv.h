/* Shared by story*.c; private to them. */
#ifndef HEDDLE_REPORT_EXPLAIN_STORY_PRIV_H
#define HEDDLE_REPORT_EXPLAIN_STORY_PRIV_H

#include "report/explain/story.h"

/* Where an event is shown; what a thread stands at for ever. */
void report_story_add_place(const struct report_story *s, int side, uint32_t event,
			    struct strbuf *to);
void report_story_add_stuck(const struct report_story *s, int side, uint32_t thread,
			    struct strbuf *to);

/* Threads of the failing side that are stuck, one after the other. */
void report_story_tell_stuck(const struct report_story *s, struct strbuf *to);
bool report_story_anybody_sleeps(const struct trace_bundle *b);

#endif
