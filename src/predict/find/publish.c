#include "predict/find/publish.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "predict/find/atomic.h"
#include "predict/find/explain.h"
#include "predict/read/stacks.h"
#include "predict/read/write.h"

_Static_assert((int)PREDICTION_RACE == KIND_RACE && (int)PREDICTION_DEADLOCK == KIND_DEADLOCK &&
		       (int)PREDICTION_ATOMICITY == KIND_ATOMICITY &&
		       (int)PREDICTION_ORDER == KIND_ORDER,
	       "kinds of predictions are numbered alike");
_Static_assert((int)PREDICT_METHOD_COUNT <= PREDICTION_METHODS, "a column for every method");

struct publisher {
	const struct predict_engine *engine;
	const struct predict_trace *t;
	const struct predict_opts *opts;
	const struct predict_result *result;
	const struct predict_wishes *wishes;
	struct prediction *to;
	uint64_t number[PREDICTION_KINDS]; /* findings so far */
};

static bool take_number(char *text, uint64_t *number)
{
	char *colon = strrchr(text, ':'), *end = NULL;

	if (colon == NULL || colon[1] < '0' || colon[1] > '9')
		return false;
	*number = strtoull(colon + 1, &end, 10);
	if (*end != '\0')
		return false;
	*colon = '\0';
	return true;
}

/* A site is a text, "dir/file.c:12:3" or "file.c:12"; without a line it is no place. */
static struct finding_place place_of_site(const struct predict_trace *t, uint32_t site,
					  const char *function)
{
	struct finding_place p = finding_place(NULL, 0, 0, function);
	uint64_t last;

	if (site == PREDICT_NONE)
		return p;
	p.name = xstrdup(predict_names_text(&t->sites, site));
	p.file = xstrdup(p.name);
	if (!take_number(p.file, &last)) {
		free(p.file);
		p.file = NULL;
	} else if (take_number(p.file, &p.line)) {
		p.column = last;
	} else {
		p.line = last;
	}
	return p;
}

/* Of the source; of the input when the source is not known. */
static struct finding_place place_of_event(const struct publisher *p, uint32_t e)
{
	const struct predict_event *ev = &p->t->events.items[e];
	struct finding_place at = place_of_site(p->t, ev->site, NULL);

	if (!at.file) {
		at.file = xstrdup(p->to->file);
		at.line = ev->line;
	}
	return at;
}

/* "main at file.c:7" */
static char *creator_of(const struct predict_trace *t, uint32_t thread)
{
	uint32_t fork = t->fork_of[thread];

	if (fork == PREDICT_NONE || t->events.items[fork].site == PREDICT_NONE)
		return NULL;
	return xasprintf("%s at %s", predict_names_text(&t->threads, t->events.items[fork].thread),
			 predict_names_text(&t->sites, t->events.items[fork].site));
}

struct stack {
	struct finding_event *to;
	const struct predict_trace *t;
};

static void add_frame(void *context, const char *func, uint32_t site)
{
	const struct stack *s = context;

	vec_push(&s->to->stack, place_of_site(s->t, site, func));
}

static char *text_of(struct strbuf *text)
{
	char *copy = xstrdup(text->text ? text->text : "");

	strbuf_clear(text);
	return copy;
}

static void add_event(const struct publisher *p, uint32_t e, struct finding *to)
{
	const struct predict_event *ev = &p->t->events.items[e];
	struct strbuf text = STRBUF_INIT;
	struct finding_event *event;

	predict_explain_event(p->t, e, &text);
	event = finding_add_event(to, text.text, place_of_event(p, e));
	strbuf_clear(&text);
	event->number = (uint64_t)e + 1;
	event->line = ev->line;
	event->thread = xstrdup(predict_names_text(&p->t->threads, ev->thread));
	event->operation = predict_op_word(ev->was);
	event->object = xstrdup(predict_trace_object(p->t, e));
	predict_explain_held(p->t, e, &text);
	event->held = text_of(&text);
	event->created = creator_of(p->t, ev->thread);
	predict_stacks_walk(p->t, e, add_frame, &(struct stack){event, p->t});
	strbuf_free(&text);
}

static void add_witness(const struct publisher *p, const struct predict_finding *f,
			struct finding_prediction *to)
{
	struct strbuf text = STRBUF_INIT;
	struct predict_order order = VEC_INIT;

	predict_finding_witness(f, p->t, &order);
	for (size_t i = 0; i < order.count; i++) {
		struct prediction_step step = {.event = order.items[i]};

		step.thread = p->t->events.items[step.event].thread;
		predict_write_event(p->t, step.event, &text);
		strbuf_add(&text, "  ");
		predict_explain_place(p->t, step.event, &text);
		step.text = text_of(&text);
		vec_push(&to->witness, step);
	}
	vec_free(&order);
	strbuf_free(&text);
}

/* What only those have that are written out. */
static void add_details(const struct publisher *p, const struct predict_finding *f,
			struct finding_prediction *to)
{
	struct strbuf text = STRBUF_INIT;

	if (f->answer == ANSWER_FEASIBLE) {
		predict_explain_why(p->t, f, &text);
		to->why = text_of(&text);
	}
	for (size_t i = 0; i < f->runs.count; i++)
		vec_push(&to->runs, ((struct prediction_run){f->runs.items[i].thread,
							     f->runs.items[i].count}));
	if (p->wishes->witness)
		add_witness(p, f, to);
	strbuf_free(&text);
}

/* Of a long way the end is enough. */
#define FLOW_STEPS 100

static bool is_involved(const struct predict_finding *f, const struct predict_trace *t, uint32_t e)
{
	for (size_t i = 0; i < f->events.count; i++)
		if (t->events.items[f->events.items[i]].thread == t->events.items[e].thread)
			return true;
	return false;
}

/* The last steps of the witness, of the threads that meet in it, and then what meets. */
static void add_flow(const struct publisher *p, const struct predict_finding *f, struct finding *to)
{
	struct strbuf text = STRBUF_INIT;
	struct predict_order order = VEC_INIT;
	size_t involved = 0;

	predict_finding_witness(f, p->t, &order);
	for (size_t i = 0; i < order.count; i++)
		involved += is_involved(f, p->t, order.items[i]);
	for (size_t i = 0; i < order.count; i++) {
		uint32_t e = order.items[i];
		uint32_t thread = p->t->events.items[e].thread;

		if (!is_involved(f, p->t, e) || involved-- > FLOW_STEPS)
			continue;
		predict_explain_event(p->t, e, &text);
		finding_add_step(to, predict_names_text(&p->t->threads, thread), text.text,
				 place_of_event(p, e));
		strbuf_clear(&text);
	}
	vec_free(&order);
	strbuf_free(&text);
}

static struct finding_prediction *prediction_of(struct publisher *p,
						const struct predict_finding *f)
{
	uint64_t show = p->wishes->show;
	struct strbuf title = STRBUF_INIT;
	struct finding_prediction *to;

	predict_explain_title(p->t, f, &title);
	to = prediction_new(title.text);
	strbuf_free(&title);
	if (!f->suppressed)
		to->number = ++p->number[f->kind];
	to->brief = f->suppressed ? !p->wishes->suppressed
				  : f->name == NULL && show > 0 && to->number > show;
	to->name = f->name ? xstrdup(f->name) : NULL;
	to->answer = predict_answer_text(f->answer);
	to->model = predict_model_text(f->model);
	to->stage = predict_stage_word(f->stage);
	if (f->kind == KIND_ATOMICITY && f->name == NULL) {
		to->block = predict_block_text(f->block);
		to->inferred = predict_block_inferred(f->block);
	}
	to->tuples = f->tuples;
	to->feasible = f->feasible;
	to->steps = f->steps;
	to->confirmed = f->confirmed;
	to->confirmation = f->confirmation ? xstrdup(f->confirmation) : NULL;
	if (!to->brief)
		add_details(p, f, to);
	return to;
}

static void publish_finding(struct publisher *p, const struct predict_finding *f)
{
	static const enum finding_level levels[] = {
		[ANSWER_FEASIBLE] = FINDING_ERROR,
		[ANSWER_INFEASIBLE] = FINDING_EXCLUDED,
		[ANSWER_UNKNOWN] = FINDING_UNDECIDED,
	};
	struct finding_prediction *words = prediction_of(p, f);
	struct strbuf text = STRBUF_INIT;
	struct finding *out;

	strbuf_add(&text, words->title);
	if (words->why)
		strbuf_addf(&text, ".  %s", words->why);
	else if (f->answer == ANSWER_UNKNOWN)
		strbuf_add(&text, ": could not be decided within the budget");
	out = findings_add(&p->to->findings, predict_kind_text(f->kind), levels[f->answer],
			   text.text);
	strbuf_free(&text);
	out->suppressed = f->suppressed;
	out->bundle = f->bundle ? xstrdup(f->bundle) : NULL;
	out->prediction = words;
	for (size_t i = 0; i < f->events.count && !words->brief; i++)
		add_event(p, f->events.items[i], out);
	if (p->wishes->flow && f->answer == ANSWER_FEASIBLE && !words->brief)
		add_flow(p, f, out);
}

static void publish_total(const struct publisher *p, enum predict_kind kind, bool wanted)
{
	const struct predict_totals *x = &p->result->totals[kind];
	uint64_t show = p->wishes->show;

	p->to->totals[kind] = (struct prediction_total){
		.kind = predict_kind_text(kind),
		.wanted = wanted,
		.candidates = x->candidates,
		.decided = x->decided[0] + x->decided[1] + x->decided[2],
		.feasible = x->decided[ANSWER_FEASIBLE],
		.infeasible = x->decided[ANSWER_INFEASIBLE] + x->ordered,
		.unknown = x->decided[ANSWER_UNKNOWN] + x->left_out,
		.skipped = x->skipped,
		.cut_at = x->cut_at,
	};
	if (show > 0 && kind != KIND_ORDER && p->number[kind] > show)
		p->to->totals[kind].hidden = p->number[kind] - show;
}

/* Everything but the findings. */
static void publish_trace(const struct publisher *p)
{
	const struct predict_engine *e = p->engine;
	struct prediction *to = p->to;

	to->events = p->t->events.count;
	to->core = e->core->n;
	for (uint32_t i = 0; i < predict_names_count(&p->t->threads); i++)
		vec_push(&to->threads, xstrdup(predict_names_text(&p->t->threads, i)));
	for (size_t i = 0; i < p->t->warnings.count; i++)
		vec_push(&to->warnings,
			 ((struct prediction_warning){p->t->warnings.items[i].line,
						      xstrdup(p->t->warnings.items[i].text)}));
	for (int i = 0; i < PREDICT_STAGE_COUNT; i++)
		if (e->stage_tried[i] > 0)
			vec_push(&to->stages, ((struct prediction_stage){
						      predict_stage_word((enum predict_stage)i),
						      e->stage_tried[i], e->stage_decided[i],
						      e->stage_seconds[i]}));
}

static void publish_confirmed(const struct publisher *p)
{
	struct predict_confirmed n = predict_result_confirmed(p->result);

	p->to->confirmed = (struct prediction_confirmed){
		.wanted = p->result->to_confirm,
		.feasible = n.feasible,
		.run = n.run,
		.confirmed = n.confirmed,
		.not_run = p->result->not_run ? xstrdup(p->result->not_run) : NULL,
	};
}

void predict_publish(const struct predict_engine *engine, const struct predict_opts *opts,
		     const struct predict_result *result, const struct predict_wishes *wishes,
		     struct prediction *to)
{
	struct publisher p = {.engine = engine,
			      .t = engine->t,
			      .opts = opts,
			      .result = result,
			      .wishes = wishes,
			      .to = to};

	assert(to->file && to->findings.count == 0);
	to->model = predict_model_text(opts->model);
	publish_trace(&p);
	for (size_t i = 0; i < result->findings.count; i++)
		publish_finding(&p, &result->findings.items[i]);
	publish_total(&p, KIND_RACE, opts->races);
	publish_total(&p, KIND_DEADLOCK, opts->deadlocks);
	publish_total(&p, KIND_ATOMICITY, opts->atomicity);
	publish_total(&p, KIND_ORDER, false);
	publish_confirmed(&p);
}

static struct prediction_row row_of(const struct predict_row *row)
{
	static const char cells[] = {
		[CELL_NO] = '0', [CELL_YES] = '1', [CELL_UNKNOWN] = '?', [CELL_NONE] = '-'};
	struct prediction_row to = {
		.name = xstrdup(row->name),
		.kind = predict_kind_text(row->kind),
		.pair = row->a != PREDICT_NONE,
		.a = (uint64_t)row->a + 1,
		.b = (uint64_t)row->b + 1,
		.stages = {predict_stage_word(row->csr_stage), predict_stage_word(row->cdsr_stage)},
	};

	for (int m = 0; m < PREDICT_METHOD_COUNT; m++)
		to.cells[m] = cells[row->cell[m]];
	return to;
}

void predict_publish_table(const struct predict_table *t, struct prediction *to)
{
	struct prediction_table *out = xcalloc(1, sizeof(*out));

	assert(!to->table);
	out->methods = PREDICT_METHOD_COUNT;
	for (int m = 0; m < PREDICT_METHOD_COUNT; m++) {
		out->method[m] = predict_method_word((enum predict_method)m);
		out->yes[m] = t->yes[m];
		out->unknown[m] = t->unknown[m];
		out->seconds[m] = t->seconds[m];
	}
	out->left_out = t->left_out;
	for (size_t i = 0; i < t->rows.count; i++)
		vec_push(&out->rows, row_of(&t->rows.items[i]));
	to->table = out;
}
