#include "collect/count.h"

#include <inttypes.h>

static const struct {
	const char *name, *text;
} rows[COLLECT_COUNTS] = {
#define X(name, text) {#name, text},
#include "collect/count.def"
#undef X
};

void collect_counts_text(struct collect_counts *c, struct strbuf *to)
{
	for (unsigned i = 0; i < COLLECT_COUNTS; i++)
		strbuf_addf(to,
			    "# HELP heddle_collect_%s_total %s\n"
			    "# TYPE heddle_collect_%s_total counter\n"
			    "heddle_collect_%s_total %" PRIu64 "\n",
			    rows[i].name, rows[i].text, rows[i].name, rows[i].name, c->n[i]);
}
