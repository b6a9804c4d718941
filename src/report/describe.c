#include "report/describe.h"

#include "base/mem.h"
#include "model/calls.h"
#include "report/detail.h"
#include "report/focus.h"
#include "report/phrase.h"
#include "report/words.h"

static struct finding_place place_of(const struct trace_bundle *b, uint32_t site,
				     const char *function)
{
	const struct trace_site *s = trace_sites_find(&b->sites, site);

	if (!s || !s->file[0])
		return finding_place(NULL, 0, 0, function);
	return finding_place(s->file, s->line, s->column, function ? function : s->func);
}

static void add_stack(const struct trace_bundle *b, size_t event, struct finding_event *to)
{
	struct calls_stack stack = VEC_INIT;

	calls_stack_of(b, event, &stack);
	for (size_t i = 0; i < stack.count; i++)
		vec_push(&to->stack, place_of(b, stack.items[i].site, stack.items[i].func));
	vec_free(&stack);
}

static void add_event(const struct trace_bundle *b, size_t event, struct finding *to)
{
	const struct wire_event *v = &b->events.items[event];
	struct strbuf text = STRBUF_INIT;

	report_phrase_thread(b, v->tid, &text);
	strbuf_add_char(&text, ' ');
	report_phrase_event(b, v, &text);
	add_stack(b, event, finding_add_event(to, text.text, place_of(b, v->site, NULL)));
	strbuf_free(&text);
}

/* Where the threads stand that cannot go on. */
static void add_stuck(const struct trace_bundle *b, struct finding *to)
{
	struct strbuf text = STRBUF_INIT;

	for (size_t i = 0; i < b->threads.count; i++) {
		const struct wire_thread *t = &b->threads.items[i];

		if (!report_detail_stuck(t))
			continue;
		report_phrase_thread(b, t->tid, &text);
		strbuf_addf(&text, " waits at %s of ", report_word_event(t->pending_kind));
		report_phrase_object(b, t->pending_addr, &text);
		finding_add_event(to, text.text, place_of(b, t->pending_site, NULL));
		strbuf_clear(&text);
	}
	strbuf_free(&text);
}

/* More than a screen has, and less than a viewer of reports cannot show. */
#define FLOW_STEPS 200

/* The events that lead there, each where the source has it. */
static void add_flow(const struct trace_bundle *b, struct finding *to)
{
	struct report_focus focus = {.events = VEC_INIT};
	struct strbuf thread = STRBUF_INIT, text = STRBUF_INIT;

	report_focus_choose(&focus, b, FLOW_STEPS);
	for (size_t i = 0; i < focus.events.count; i++) {
		const struct wire_event *v = &b->events.items[focus.events.items[i]];

		report_phrase_thread(b, v->tid, &thread);
		report_phrase_event(b, v, &text);
		finding_add_step(to, thread.text, text.text, place_of(b, v->site, NULL));
		strbuf_clear(&thread);
		strbuf_clear(&text);
	}
	report_focus_fini(&focus);
	strbuf_free(&thread);
	strbuf_free(&text);
}

void report_describe_failure(const struct report_finding *f, struct findings *to)
{
	const struct wire_failure *failure = &f->bundle->outcome.failure;
	struct strbuf text = STRBUF_INIT;
	struct finding *out;

	report_detail_headline(f->bundle, &text);
	out = findings_add(to, report_word_failure_id(failure->kind), FINDING_ERROR, text.text);
	out->bundle = f->dir ? xstrdup(f->dir) : NULL;
	if (failure->kind == FAILURE_DEADLOCK || failure->kind == FAILURE_LIVELOCK)
		add_stuck(f->bundle, out);
	else
		finding_add_event(out, text.text, place_of(f->bundle, failure->site, NULL));
	add_flow(f->bundle, out);
	strbuf_free(&text);
}

void report_describe_race(const struct report_race *race, enum finding_level level,
			  struct findings *to)
{
	struct finding *out =
		findings_add(to, "race", level, "data race: nothing keeps these two accesses apart");

	out->bundle = race->dir ? xstrdup(race->dir) : NULL;
	for (int i = 0; i < 2; i++)
		add_event(race->bundle, race->events[i], out);
	add_flow(race->bundle, out);
}
