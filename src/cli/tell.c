#include "cli/tell.h"

#include "cli/version.h"
#include "explain/explain.h"
#include "report/explain/story.h"

/* It is counted in runs, so that the same check says the same; nobody waits for ever. */
#define LIMIT_NS UINT64_C(10000000000)
/* Longer executions are left to heddle explain. */
#define MAX_EVENTS 5000

void cli_tell_story(struct cli_exec *x, const struct run_again *again,
		    const struct trace_bundle *failing, const char *inputs, struct strbuf *to)
{
	struct limit limit = limit_within(&x->limit, LIMIT_NS);
	struct explanation what = EXPLANATION_INIT;
	struct err e = ERR_INIT;
	struct explain_opts o = {
		.again = *again,
		.keep = {&x->program, HEDDLE_VERSION, &again->job, NULL, inputs},
		.bundle = failing,
		.limit = &limit,
		.brief = true,
	};

	if (failing->events.count > MAX_EVENTS || limit_reached(&limit) != LIMIT_NONE)
		return;
	if (explain(&o, &what, &e) == 0)
		report_story_brief(&what, to);
	explanation_fini(&what);
}
