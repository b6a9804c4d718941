#include "report/report.h"

void report_begin(struct report *r)
{
	if (r->width == 0)
		r->width = 100;
	if (r->lines == 0)
		r->lines = 18;
	r->findings = 0;
	r->ops->begin(r);
}

void report_add(struct report *r, const struct report_finding *f)
{
	r->findings++;
	r->ops->finding(r, f);
}

void report_end(struct report *r, const struct report_summary *s)
{
	r->ops->end(r, s);
}
