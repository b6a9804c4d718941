/* What `heddle info --json' says to a program: one object with everything in the bundle. */
#ifndef HEDDLE_REPORT_INFO_JSON_H
#define HEDDLE_REPORT_INFO_JSON_H

#include "base/json_out.h"
#include "trace/bundle/bundle.h"

/* Opens the object and writes everything but the events; the array of events is open after it. */
void report_info_json_begin(struct json_out *j, const struct trace_bundle *b, const char *dir);
void report_info_json_event(struct json_out *j, const struct trace_bundle *b,
			 const struct wire_event *v);
void report_info_json_end(struct json_out *j);
/* What is known of the program and its making, as members of the object that is open. */
void report_info_json_meta(struct json_out *j, const struct trace_meta *m);

#endif
