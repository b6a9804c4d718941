/* What stands below the failures: races, the verdict, figures. */
#include <inttypes.h>

#include "model/calls.h"
#include "report/phrase.h"
#include "report/term_priv.h"

static void add_stats(struct report *r, const struct report_summary *s)
{
	double seconds = (double)s->ns / 1e9;

	strbuf_addf(&r->to,
		    "  runs %" PRIu64 ", failures %" PRIu64 ", step limits %" PRIu64 "\n"
		    "  steps %" PRIu64 ", longest run %" PRIu64 "\n"
		    "  %.3f s, %.0f runs/s, engine %s\n",
		    s->runs, s->failures, s->limits, s->steps, s->max_steps, seconds,
		    seconds > 0 ? (double)s->runs / seconds : 0, s->engine);
}

static void add_stack(struct report *r, const struct trace_bundle *b, size_t event)
{
	struct calls_stack stack = VEC_INIT;

	calls_stack_of(b, event, &stack);
	for (size_t i = 0; i < stack.count; i++) {
		strbuf_addf(&r->to, "    %-20s ", stack.items[i].func);
		report_phrase_place(b, stack.items[i].site, &r->to);
		strbuf_add_char(&r->to, '\n');
	}
	vec_free(&stack);
}

static void add_race(struct report *r, const struct report_race *race)
{
	strbuf_add(&r->to, "\ndata race: nothing keeps these two apart\n");
	for (int i = 0; i < 2; i++) {
		const struct wire_event *v = &race->bundle->events.items[race->events[i]];

		strbuf_add(&r->to, "  ");
		report_phrase_thread(race->bundle, v->tid, &r->to);
		strbuf_add_char(&r->to, ' ');
		report_phrase_event(race->bundle, v, &r->to);
		strbuf_add(&r->to, "  at ");
		report_phrase_place(race->bundle, v->site, &r->to);
		strbuf_add_char(&r->to, '\n');
		add_stack(r, race->bundle, race->events[i]);
	}
	if (race->dir)
		strbuf_addf(&r->to, "  recording: %s\n", race->dir);
}

static void add_search(struct report *r, const struct report_search *x)
{
	double total = (double)x->total_ns / 1e9, guest = (double)x->guest_ns / 1e9;

	strbuf_addf(&r->to,
		    "  algorithm %s: behaviours %" PRIu64 ", executions %" PRIu64 " (%" PRIu64
		    " of the program)\n"
		    "  configurations %" PRIu64 ", nodes %" PRIu64 ", questions %" PRIu64
		    ", passes %" PRIu64 ", diverged %" PRIu64 "\n"
		    "  %.3f s: program %.3f s, solver %.3f s; %.1f MB held\n",
		    x->algorithm, x->states, x->executions, x->learned, x->configs, x->nodes,
		    x->questions, x->passes, x->diverged, total, guest, (double)x->solver_ns / 1e9,
		    (double)x->bytes / 1e6);
	strbuf_addf(&r->to, "  schedules drawn %" PRIu64 ", in order of delays %" PRIu64, x->drawn,
		    x->delayed);
	if (x->delays >= 0)
		strbuf_addf(&r->to, " (all with at most %" PRId64 ")", x->delays);
	strbuf_add_char(&r->to, '\n');
}

void report_term_end(struct report *r, const struct report_summary *s)
{
	for (size_t i = 0; i < s->race_count; i++)
		add_race(r, &s->races[i]);
	if (r->findings + s->race_count > 0)
		strbuf_add_char(&r->to, '\n');
	report_term_color(r, s->exit_code == 0 ? "32" : s->exit_code == 1 ? "31" : "33");
	strbuf_addf(&r->to, "%s: %s", s->command, s->text);
	report_term_color(r, "0");
	strbuf_add_char(&r->to, '\n');
	if (s->show_stats && s->search)
		add_search(r, s->search);
	else if (s->show_stats)
		add_stats(r, s);
}
