/* What `heddle info' says to a person. */
#ifndef HEDDLE_REPORT_INFO_TEXT_H
#define HEDDLE_REPORT_INFO_TEXT_H

#include <stdint.h>

#include "base/strbuf.h"
#include "trace/bundle/bundle.h"

/* Gathered while the events pass by. */
struct report_info_counts {
	uint64_t events;
	uint64_t by_kind[EVENT_KIND_MAX];
	uint64_t by_thread[WIRE_MAX_THREADS];
};

/* One screen: program, how it was made, outcome, threads, events by kind, schedule, notes. */
void report_info_text_summary(const struct trace_bundle *b, const char *dir,
			   const struct report_info_counts *counts, struct strbuf *to);

/* The columns of the list of events, and one line of it. */
void report_info_text_heading(struct strbuf *to);
void report_info_text_event(const struct trace_bundle *b, const struct wire_event *v, uint64_t index,
			 struct strbuf *to);

/* What the event is about: the variable, object or thread, without its value. */
void report_info_text_subject(const struct trace_bundle *b, const struct wire_event *v,
			   struct strbuf *to);

#endif
