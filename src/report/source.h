/* Lines of source files, for showing beside events.  Files are read once and kept. */
#ifndef HEDDLE_REPORT_SOURCE_H
#define HEDDLE_REPORT_SOURCE_H

#include "trace/sites.h"

struct report_source;

struct report_source *report_source_new(void);
void report_source_free(struct report_source *s);

/*
 * The line of a site without the blanks around it; NULL when the file cannot be read or has no such
 * line.  Borrowed, valid until the source is freed.
 */
const char *report_source_line(struct report_source *s, const struct trace_site *site);

#endif
