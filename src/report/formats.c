#include "report/formats.h"

#include <assert.h>

#include "report/describe.h"

static void begin(struct report *r)
{
	findings_fini(&r->gathered);
}

static void finding(struct report *r, const struct report_finding *f)
{
	report_describe_failure(f, &r->gathered);
}

static void end(struct report *r, const struct report_summary *s)
{
	assert(r->ops->write);
	for (size_t i = 0; i < s->race_count; i++)
		report_describe_race(&s->races[i], s->races_fail ? FINDING_ERROR : FINDING_WARNING,
				     &r->gathered);
	r->ops->write(&r->gathered, s->command, s->version, &r->to);
	findings_fini(&r->gathered);
}

const struct report_ops report_formats[REPORT_FORMATS] = {
#define X(word, help)                                                                              \
	[REPORT_##word] = {.name = #word,                                                          \
			   .begin = begin,                                                         \
			   .finding = finding,                                                     \
			   .end = end,                                                             \
			   .write = report_##word##_write},
#include "report/formats.def"
#undef X
};
