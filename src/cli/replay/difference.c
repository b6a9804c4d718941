#include "cli/replay/difference.h"

#include <inttypes.h>

#include "report/phrase.h"
#include "report/words.h"

static void add_event(const struct trace_bundle *b, const struct wire_event *v, struct strbuf *to)
{
	strbuf_addf(to, "T%u at ", v->tid);
	report_phrase_place(b, v->site, to);
	strbuf_add_char(to, ' ');
	report_phrase_event(b, v, to);
	strbuf_addf(to, "  [%s addr=0x%" PRIx64 " value=0x%" PRIx64 " aux=%u tix=%u]\n",
		    report_word_event(v->kind), v->addr, v->value, v->aux, v->tix);
}

static void add_end(const struct trace_bundle *b, uint32_t outcome, const struct wire_failure *f,
		    struct strbuf *to)
{
	strbuf_add(to, report_word_outcome(outcome));
	if (outcome == OUTCOME_FAILURE) {
		strbuf_addf(to, ": %s in T%u at ", report_word_failure(f->kind), f->tid);
		report_phrase_place(b, f->site, to);
		if (f->text[0])
			strbuf_addf(to, " (%s)", f->text);
	}
	strbuf_add_char(to, '\n');
}

static void add_replayed_end(const struct trace_bundle *b, const struct run_result *r,
			     struct strbuf *to)
{
	if (r->verdict == RUN_CLEAN || r->verdict == RUN_FAILURE)
		add_end(b, r->wire.outcome, &r->wire.failure, to);
	else
		strbuf_addf(to, "%s%s%s\n", run_verdict_name(r->verdict), r->reason[0] ? ": " : "",
			    r->reason);
}

void cli_difference_print(const struct trace_bundle *recorded, const struct run_result *replayed,
			  const struct run_difference *d, struct strbuf *to)
{
	bool has_recorded = d->index < recorded->events.count;
	bool has_replayed = d->index < replayed->events.count;

	if (d->kind == RUN_OUTCOME_DIFFERS)
		strbuf_addf(to, "all %zu events are the same, but the end is not\n", d->index);
	else
		strbuf_addf(to, "event %zu is the first that differs\n", d->index);
	strbuf_add(to, "  recorded: ");
	if (has_recorded)
		add_event(recorded, &recorded->events.items[d->index], to);
	else
		add_end(recorded, recorded->outcome.outcome, &recorded->outcome.failure, to);
	strbuf_add(to, "  replayed: ");
	if (has_replayed)
		add_event(recorded, &replayed->events.items[d->index], to);
	else
		add_replayed_end(recorded, replayed, to);
	if (has_replayed && replayed->verdict == RUN_DIVERGED)
		strbuf_addf(to, "  the guest says: choice %" PRIu64 " did not fit: %s\n",
			    replayed->wire.diverged_at, replayed->reason);
}
