/* What `heddle info --json' says to a program: one object with everything in the bundle. */
#ifndef HEDDLE_CLI_INFO_JSON_H
#define HEDDLE_CLI_INFO_JSON_H

#include "base/json_out.h"
#include "trace/bundle.h"

/* Opens the object and writes everything but the events; the array of events is open after it. */
void cli_info_json_begin(struct json_out *j, const struct trace_bundle *b, const char *dir);
void cli_info_json_event(struct json_out *j, const struct trace_bundle *b,
			 const struct wire_event *v);
void cli_info_json_end(struct json_out *j);

#endif
