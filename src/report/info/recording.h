/* What `heddle info' says about a recording. */
#ifndef HEDDLE_REPORT_INFO_RECORDING_H
#define HEDDLE_REPORT_INFO_RECORDING_H

#include "base/strbuf.h"
#include "trace/bundle/recording.h"

/* One screen: program, how it was recorded, how it ended, threads, losses, notes. */
void report_info_recording_text(const struct trace_recording *r, const char *dir, struct strbuf *to);
/* The stamps and inputs of every thread, in the order of their times. */
void report_info_recording_events(const struct trace_recording *r, struct strbuf *to);
/* Everything but the bits of the streams, as one JSON object. */
void report_info_recording_json(const struct trace_recording *r, const char *dir, struct strbuf *to);
/* "deadlock", "signal SIGSEGV at 0x0", "assertion: x == y", … */
void report_info_recording_failure(const struct trace_recording *r, struct strbuf *to);

#endif
