/* Lines of source files, for showing beside events.  Files are read once and kept. */
#ifndef HEDDLE_REPORT_SOURCE_H
#define HEDDLE_REPORT_SOURCE_H

#include "trace/elf/sites.h"

struct report_source;

/*
 * From now on source files are looked for below this directory first, under their own paths:
 * somebody sent them with a bundle.  Borrowed.
 */
void report_source_root(const char *dir);

struct report_source *report_source_new(void);
void report_source_free(struct report_source *s);

/*
 * The line of a site without the blanks around it; NULL when the file cannot be read or has no such
 * line.  Borrowed, valid until the source is freed.
 */
const char *report_source_line(struct report_source *s, const struct trace_site *site);

/* The same with the blanks at its beginning. */
const char *report_source_text(struct report_source *s, const struct trace_site *site);

#endif
