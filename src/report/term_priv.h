/* Shared by term.c and term_end.c; private to them. */
#ifndef HEDDLE_REPORT_TERM_PRIV_H
#define HEDDLE_REPORT_TERM_PRIV_H

#include "report/report.h"

/* Begins a colour by its number, "0" ends it; nothing where there are none. */
static inline void report_term_color(struct report *r, const char *code)
{
	if (r->color)
		strbuf_addf(&r->to, "\033[%sm", code);
}

void report_term_end(struct report *r, const struct report_summary *s);

#endif
