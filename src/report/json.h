/* The report for programs: one JSON object per command. */
#ifndef HEDDLE_REPORT_JSON_H
#define HEDDLE_REPORT_JSON_H

#include "report/report.h"

extern const struct report_ops report_json;

/* A site as an object; nothing when the bundle does not know it. */
void report_json_site(struct json_out *j, const char *name, const struct trace_bundle *b,
		      uint32_t site);

/* The failure of a bundle as an object, as `heddle check' says it. */
void report_json_failure(struct json_out *j, const char *name, const struct trace_bundle *b);

#endif
