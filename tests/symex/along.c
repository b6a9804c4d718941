#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "follow.h"

/* The concrete execution is the source of the symbolic one: event by tix. */
struct along {
	struct follow *f;
	struct symex_trace t;
	VEC(uint32_t) by_tix[WIRE_MAX_THREADS]; /* event + 1 */
	bool *unsure; /* by read: what it returned stands nowhere (a random number) */
};

static const struct symex_event *event_at(const struct along *a, uint32_t thread, uint32_t tix)
{
	const struct symex_thread *t;

	if (thread >= a->f->trace.threads.count || tix >= a->by_tix[thread].count ||
	    !a->by_tix[thread].items[tix])
		return NULL;
	t = &a->f->trace.threads.items[thread];
	return &t->events.items[a->by_tix[thread].items[tix] - 1];
}

static void index_events(struct along *a)
{
	for (size_t i = 0; i < a->f->trace.threads.count; i++) {
		const struct symex_thread *t = &a->f->trace.threads.items[i];

		for (uint32_t k = 0; k < t->events.count; k++) {
			while (a->by_tix[i].count <= t->events.items[k].tix)
				vec_push(&a->by_tix[i], 0);
			a->by_tix[i].items[t->events.items[k].tix] = k + 1;
		}
	}
}

/* What a read really returned. */
static bool real_value(const struct along *a, const struct symex_read *r, uint64_t *out)
{
	const struct symex_event *e = event_at(a, r->thread, r->event);

	for (uint32_t i = 0; e && i < e->count; i++) {
		const struct symex_part *p = &a->f->trace.parts.items[e->first + i];

		if (p->addr == r->addr && p->size == r->size && p->reads) {
			*out = p->seen;
			return true;
		}
	}
	return false;
}

static uint64_t *real_values(struct along *a)
{
	uint64_t *values = xcalloc(a->t.reads.count + 1, sizeof(*values));

	free(a->unsure);
	a->unsure = xcalloc(a->t.reads.count + 1, sizeof(*a->unsure));
	for (size_t i = 0; i < a->t.reads.count; i++)
		a->unsure[i] = !real_value(a, &a->t.reads.items[i], &values[i]);
	return values;
}

static bool is_sure(const struct along *a, expr_id e)
{
	size_t n;
	const uint32_t *reads = expr_reads(a->t.pool, e, &n);

	for (size_t i = 0; i < n; i++)
		if (a->unsure[reads[i]])
			return false;
	return true;
}

/* The next tix of a thread in the execution along the path. */
static uint32_t next_tix(const struct along *a, uint32_t thread)
{
	return ((const struct machine *)a->t.machine)->threads.items[thread]->tix;
}

static enum symex_answer outcome(const struct along *a, const struct symex_question *q,
				 uint64_t *out)
{
	const struct symex_event *e = event_at(a, q->thread, next_tix(a, q->thread));
	const struct symex_event *last = event_at(a, q->thread, next_tix(a, q->thread) - 1);

	if (q->kind == EVENT_RMW) {
		*out = last && last->kind == EVENT_RMW;
		return last ? SYMEX_ANSWER_IS : SYMEX_ANSWER_STOP;
	}
	if (q->kind == EVENT_BARRIER_ARRIVE) {
		*out = last && last->size == SYNC_LAST;
		return SYMEX_ANSWER_IS;
	}
	/* The thread failed where the concrete one has no event any more. */
	if (q->kind == EVENT_FAILURE) {
		*out = !e && a->f->trace.threads.items[q->thread].end == SYMEX_END_FAILED;
		return SYMEX_ANSWER_IS;
	}
	if (!e)
		return q->kind == EVENT_SPIN_PARK ? SYMEX_ANSWER_NONE : SYMEX_ANSWER_STOP;
	switch (q->kind) {
	case EVENT_SLEEP:
		*out = e->kind == EVENT_READ && (e->aux & EVENT_BLIND);
		return SYMEX_ANSWER_IS;
	case EVENT_ONCE_PASS:
	case EVENT_LOCK_TIMEOUT:
	case EVENT_COND_TIMEOUT:
	case EVENT_SEM_TIMEOUT:
		*out = e->kind == q->kind;
		return SYMEX_ANSWER_IS;
	case EVENT_CAS_FAIL:
		/* Of a weak exchange: for no reason only when the values were equal. */
		*out = 0;
		return SYMEX_ANSWER_IS;
	case EVENT_SPIN_PARK:
	case EVENT_COND_WAKE:
	case EVENT_COND_SIGNAL:
	case EVENT_COND_BROADCAST:
		*out = e->aux;
		return e->kind == q->kind ? SYMEX_ANSWER_IS : SYMEX_ANSWER_NONE;
	default:
		*out = e->value;
		return e->kind == q->kind ? SYMEX_ANSWER_IS : SYMEX_ANSWER_NONE;
	}
}

static enum symex_answer ask(void *arg, const struct symex_question *q, uint64_t *out)
{
	struct along *a = arg;
	const struct symex_event *last;
	uint64_t *values;

	switch (q->ask) {
	case SYMEX_ASK_BRANCH:
	case SYMEX_ASK_SWITCH:
		/* The marker stands right before the branch. */
		last = event_at(a, q->thread, next_tix(a, q->thread) - 1);
		if (!last || last->kind != EVENT_BRANCH)
			return SYMEX_ANSWER_STOP;
		*out = last->value;
		return SYMEX_ANSWER_IS;
	case SYMEX_ASK_ADDRESS:
	case SYMEX_ASK_CALL:
	case SYMEX_ASK_GOTO:
		values = real_values(a);
		*out = (uint64_t)expr_eval(a->t.pool, q->expr, values);
		free(values);
		if (!is_sure(a, q->expr))
			return SYMEX_ANSWER_STOP;
		return q->ask == SYMEX_ASK_GOTO ? SYMEX_ANSWER_NONE : SYMEX_ANSWER_IS;
	case SYMEX_ASK_OUTCOME:
		return outcome(a, q, out);
	case SYMEX_ASK_PLACE:
		last = event_at(a, q->thread, next_tix(a, q->thread));
		if (!last || last->kind != EVENT_ALLOC || last->value != q->size)
			return SYMEX_ANSWER_NONE;
		*out = last->addr;
		return SYMEX_ANSWER_IS;
	default:
		return SYMEX_ANSWER_NONE;
	}
}

static bool wrong(struct along *a, const struct symex_event *x, const char *what, uint64_t value)
{
	const struct symex_event *e = event_at(a, x->thread, x->tix);

	snprintf(a->f->why, sizeof(a->f->why),
		 "along the path: %s: thread %u event %u kind %u %llx = %llx, really kind %u %llx "
		 "= %llx",
		 what, x->thread, x->tix, x->kind, (unsigned long long)x->addr,
		 (unsigned long long)value, e ? e->kind : 0, e ? (unsigned long long)e->addr : 0,
		 e ? (unsigned long long)e->value : 0);
	return false;
}

static bool check_event(struct along *a, const struct symex_event *x, const uint64_t *values)
{
	const struct symex_event *e = event_at(a, x->thread, x->tix);
	uint64_t value = x->value;

	/* Another thread had ended the run meanwhile. */
	if (!e)
		return true;
	if (e->kind != x->kind || e->site != x->site)
		return wrong(a, x, "kind or site", value);
	if (e->addr != x->addr)
		return wrong(a, x, "address", value);
	if (x->value_expr && !is_sure(a, x->value_expr))
		return true;
	if (x->value_expr)
		value = (uint64_t)expr_eval(a->t.pool, x->value_expr, values);
	switch (x->kind) {
	case EVENT_READ:
	case EVENT_WRITE:
	case EVENT_RMW:
	case EVENT_CAS_FAIL:
	case EVENT_ISSUE:
	case EVENT_BRANCH:
		return e->aux & EVENT_HIDDEN || value == e->value || wrong(a, x, "value", value);
	default:
		return true;
	}
}

static bool check_thread(struct along *a, const struct symex_thread *t, const uint64_t *values)
{
	for (size_t i = 0; i < t->events.count; i++)
		if (!check_event(a, &t->events.items[i], values))
			return false;
	for (size_t i = 0; i < t->conditions.count; i++) {
		const struct symex_condition *c = &t->conditions.items[i];
		struct strbuf text = STRBUF_INIT;

		if (!is_sure(a, c->expr) || expr_eval(a->t.pool, c->expr, values))
			continue;
		expr_print(a->t.pool, c->expr, &text);
		snprintf(a->f->why, sizeof(a->f->why),
			 "along the path: a condition of thread %u does not hold: %.300s",
			 t->thread, text.text);
		strbuf_free(&text);
		return false;
	}
	if (t->end == SYMEX_END_UNKNOWN || t->end == SYMEX_END_DIVERGED) {
		snprintf(a->f->why, sizeof(a->f->why), "along the path: thread %u: %s", t->thread,
			 t->reason);
		a->f->trace.threads.items[0].end = SYMEX_END_UNKNOWN;
		return false;
	}
	return true;
}

bool along(struct follow *f)
{
	static struct along a;
	struct symex_options o = f->o;
	struct err e = ERR_INIT;
	uint64_t *values;
	bool ok = true;

	a.f = f;
	index_events(&a);
	o.source = (struct symex_source){.arg = &a, .ask = ask};
	/* A thread that was cut in a loop would go on for ever. */
	o.max_instructions = 2 * f->m->instructions + 100000;
	if (symex_run(f->p, &o, &a.t, &e)) {
		snprintf(f->why, sizeof(f->why), "along the path: %.600s", e.text);
		return false;
	}
	f->unknowns = a.t.reads.count;
	values = real_values(&a);
	for (size_t i = 0; ok && i < a.t.threads.count && i < f->trace.threads.count; i++)
		ok = check_thread(&a, &a.t.threads.items[i], values);
	free(values);
	return ok;
}
