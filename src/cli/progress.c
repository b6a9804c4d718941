#include "cli/progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "base/limit.h"

#define INTERVAL_NS UINT64_C(250000000)

void cli_progress_begin(struct cli_progress *p, bool wanted, uint64_t goal)
{
	p->on = wanted && isatty(2);
	p->goal = goal;
	p->next_ns = limit_now() + 2 * INTERVAL_NS;
	p->shown = false;
}

void cli_progress_show(void *arg, const struct run_stats *s)
{
	struct cli_progress *p = arg;
	uint64_t now;
	double seconds = (double)s->ns / 1e9;

	if (!p->on)
		return;
	now = limit_now();
	if (now < p->next_ns)
		return;
	p->next_ns = now + INTERVAL_NS;
	p->shown = true;
	fprintf(stderr, "\r\033[K%" PRIu64, s->runs);
	if (p->goal)
		fprintf(stderr, " of %" PRIu64, p->goal);
	fprintf(stderr, " runs, %.0f runs/s, %" PRIu64 " failures, %.0f s",
		seconds > 0 ? (double)s->runs / seconds : 0, s->failures, seconds);
	fflush(stderr);
}

void cli_progress_end(struct cli_progress *p)
{
	if (p->shown)
		fprintf(stderr, "\r\033[K");
	p->shown = false;
}
