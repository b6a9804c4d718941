/* An explanation as SARIF: one result, its code flow the rows of the failing execution. */
#include <inttypes.h>

#include "report/explain/explain.h"
#include "report/explain/story.h"
#include "report/formats.h"
#include "report/words.h"

static struct finding_place place_of(const struct report_story *s,
				     const struct explanation_row *row)
{
	const struct trace_bundle *b = &s->x->failing.bundle;
	uint32_t site = row->event == EXPLANATION_NONE ? b->threads.items[row->thread].pending_site
						       : report_names_site(s->failing, row->event);
	const struct trace_site *t = trace_sites_find(&b->sites, site);

	if (!t || !t->file[0])
		return finding_place(NULL, 0, 0, NULL);
	return finding_place(t->file, t->line, t->column, t->func);
}

static char *text_of(const struct report_story *s, const struct explanation_row *row)
{
	struct strbuf text = STRBUF_INIT;

	report_names_thread(s->failing, row->thread, &text);
	strbuf_add_char(&text, ' ');
	report_story_row(s, 0, row, &text);
	return strbuf_take(&text);
}

static char *message_of(const struct report_story *s)
{
	struct strbuf text = STRBUF_INIT;

	report_story_headline(s, &text);
	strbuf_add(&text, "\n");
	report_story_lines(s, &text);
	for (size_t i = 0; i < s->x->advice.count; i++) {
		strbuf_add(&text, "Advice: ");
		report_story_advice(s, &s->x->advice.items[i], &text);
		strbuf_add(&text, "\n");
	}
	return strbuf_take(&text);
}

static void add_rows(const struct report_story *s, struct finding *f)
{
	const struct explanation_side *x = &s->x->failing;

	for (size_t i = 0; i < x->rows.count; i++) {
		const struct explanation_row *row = &x->rows.items[i];
		struct strbuf thread = STRBUF_INIT;
		char *said = text_of(s, row);

		report_names_thread(s->failing, row->thread, &thread);
		finding_add_step(f, thread.text, said, place_of(s, row));
		strbuf_free(&thread);
		free(said);
		/* The failure itself is where the result is. */
		if (i + 1 == x->rows.count) {
			char *text = text_of(s, row);

			finding_add_event(f, text, place_of(s, row));
			free(text);
		}
	}
}

void report_explain_sarif(const struct explanation *x, const struct report_explain_opts *o,
			  struct strbuf *to)
{
	struct findings all = VEC_INIT;
	struct report_story s;
	struct finding *f;
	char *message;

	report_story_init(&s, x);
	message = message_of(&s);
	f = findings_add(&all, report_word_failure_id(x->failing.bundle.outcome.failure.kind),
			 FINDING_ERROR, message);
	f->bundle = xstrdup(o->bundle);
	add_rows(&s, f);
	report_sarif_write(&all, "explain", o->version, to);
	findings_fini(&all);
	free(message);
	report_story_fini(&s);
}
