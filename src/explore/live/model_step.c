#include "explore/live/model_step.h"

#define TRIES 3 /* times a question is put before it counts as unanswered */

/* ---- actions ---- */

/* Consecutive steps of one thread are one choice: its last event. */
static void extend_path(struct model_exec *x, const struct machine_action *a)
{
	struct wire_choice more[2];
	unsigned n = machine_path(&x->m, x->c, a, more);

	for (unsigned i = 0; i < n; i++) {
		struct wire_choice *last = x->path.count ? &vec_last(&x->path) : NULL;

		if (last && last->kind == CHOICE_UNTIL && more[i].kind == CHOICE_UNTIL &&
		    last->tid == more[i].tid)
			last->arg = more[i].arg;
		else
			vec_push(&x->path, more[i]);
	}
}

/* Has the program run along the path, which ends with what is not known. */
static int learn_more(struct model_exec *x, const struct machine_action *a)
{
	uint64_t question = machine_question(&x->m, x->before, a);
	int rc;

	x->tries = question == x->question ? x->tries + 1 : 1;
	x->question = question;
	if (x->tries > TRIES) {
		x->unknown++;
		x->end = MACHINE_UNKNOWN;
		return MODEL_OVER;
	}
	rc = x->source->learn(x->source, &x->path, 1, x->e);
	return rc ? rc : MODEL_LEARNED;
}

static bool may_block(const struct learn_step *s)
{
	switch (s->op) {
	case LEARN_LOCK:
		return s->value <= 1;
	case LEARN_RDLOCK:
	case LEARN_WRLOCK:
	case LEARN_WAIT:
	case LEARN_TAKE:
	case LEARN_ARRIVE:
	case LEARN_ONCE:
	case LEARN_FUTEX_WAIT:
	case LEARN_JOIN:
		return true;
	default:
		return false;
	}
}

/* Whether t may hold a lock besides the one it waits with. */
static bool holds_lock(struct model_exec *x, uint32_t t, uint32_t besides)
{
	for (uint32_t o = 0; o < x->m.l->objects.count; o++) {
		uint32_t kind = x->m.l->objects.items[o].kind;
		const struct machine_sync *s;

		if (o == besides || (kind != LEARN_MUTEX && kind != LEARN_RWLOCK))
			continue;
		s = machine_sync(&x->m, x->c, o);
		if (machine_owner(&x->m, x->c, o) == t + 1 ||
		    (kind == LEARN_RWLOCK && s->rwlock.readers))
			return true;
	}
	return false;
}

static void note_nesting(struct model_exec *x, uint32_t t)
{
	const struct learn_step *s = machine_step(&x->m, x->c, t);

	if (!x->nested && may_block(s))
		x->nested = holds_lock(x, t, s->op == LEARN_WAIT ? s->other : LEARN_NONE);
}

int model_act(struct model_exec *x, const struct machine_action *a)
{
	enum machine_result r;

	memcpy(x->before, x->c, x->m.bytes);
	if (a->kind == MACHINE_RUN && machine_ways(&x->m, x->c, a->thread) > 1)
		x->woken_first++;
	if (a->kind != MACHINE_FLUSH)
		note_nesting(x, a->thread);
	extend_path(x, a);
	r = machine_do(&x->m, x->c, a);
	switch (r) {
	case MACHINE_DONE:
		return MODEL_DONE;
	case MACHINE_UNKNOWN:
		return learn_more(x, a);
	case MACHINE_EXITED:
		x->end = r;
		return MODEL_OVER;
	default:
		x->end = r;
		x->end_thread = a->thread;
		return MODEL_BROKEN;
	}
}

struct machine_action model_run_of(uint32_t t)
{
	return (struct machine_action){.kind = MACHINE_RUN, .thread = (uint16_t)t};
}

bool model_has_stores(struct model_exec *x, uint32_t t)
{
	return wire_model_buffers(x->m.model) && machine_buffer(&x->m, x->c, t)->count;
}

/* ---- one event ---- */

void model_emit(struct model_exec *x, const struct solve_event *e)
{
	vec_push(&x->out->history, *e);
}

int model_settle(struct model_exec *x, uint32_t t)
{
	struct solve_event e, half;
	int rc = MODEL_DONE;

	while (rc == MODEL_DONE && !x->threads.items[t].has_rest && machine_step(&x->m, x->c, t)) {
		struct machine_action a = model_run_of(t);

		if (model_event(&x->places, &x->m, x->c, t, &e, &half) != MODEL_SILENT ||
		    !machine_can(&x->m, x->c, &a))
			break;
		rc = model_act(x, &a);
	}
	return rc;
}

bool model_look(struct model_exec *x, uint32_t t, struct model_upcoming *u)
{
	struct model_thread *th = &x->threads.items[t];

	*u = (struct model_upcoming){.rest = th->has_rest, .e = th->rest, .shape = MODEL_PLAIN};
	if (u->rest)
		return true;
	if (!machine_step(&x->m, x->c, t))
		return false;
	u->shape = model_event(&x->places, &x->m, x->c, t, &u->e, &u->half);
	if (u->shape == MODEL_SILENT || u->shape == MODEL_LAST)
		return false;
	u->e.index = th->next;
	u->half.index = th->next;
	if (u->shape == MODEL_WAKE) {
		u->first = !th->first_done;
		if (th->first_done)
			u->e = u->half;
	} else if (u->shape == MODEL_FENCED) {
		u->first = !th->first_done;
		if (u->first)
			u->e.op = SOLVE_FENCE;
	}
	return true;
}

void model_finish(struct model_exec *x, uint32_t t, const struct model_upcoming *u)
{
	struct model_thread *th = &x->threads.items[t];

	model_emit(x, &u->e);
	th->first_done = u->first;
	th->next = u->e.index + 1;
	th->has_rest = false;
	if (u->rest || u->first)
		return;
	if (u->shape == MODEL_SLEEP || u->shape == MODEL_FENCED) {
		th->has_rest = true;
		th->rest = u->shape == MODEL_SLEEP ? u->half : u->e;
		if (u->shape == MODEL_FENCED)
			th->rest.op = SOLVE_FENCE;
		th->rest.index = th->next;
	}
}

/* What an atomic access wrote, now that it is done. */
static void see_effect(struct model_exec *x, uint32_t t, struct model_upcoming *u, uint32_t op)
{
	const struct learn_node *n = &x->m.l->nodes.items[machine_thread(&x->m, x->c, t)->node];

	if (u->e.op != SOLVE_RMW || u->shape == MODEL_WAKE)
		return;
	u->e.written = model_place_value(&x->places, &x->m, x->c, t, (uint32_t)u->e.object);
	if (op == LEARN_RMW && x->end != MACHINE_MISUSE)
		u->e.writes = n->writes;
	else
		u->e.writes = u->e.written != u->e.value;
}

/* Can t take the mutex, or has it to wait for its time? */
static int first_half(struct model_exec *x, uint32_t t, struct model_upcoming *u)
{
	struct machine_action a = {.kind = MACHINE_EXPIRE, .thread = (uint16_t)t};
	int rc;

	if (u->shape == MODEL_FENCED) {
		if (model_has_stores(x, t))
			return MODEL_DIVERGED;
		model_finish(x, t, u);
		return MODEL_DONE;
	}
	if (!machine_thread(&x->m, x->c, t)->sleep) {
		model_finish(x, t, u);
		return MODEL_DONE;
	}
	if (!machine_can(&x->m, x->c, &a)) {
		x->blocked = true;
		return MODEL_DIVERGED;
	}
	rc = model_act(x, &a);
	if (rc != MODEL_DONE && rc != MODEL_BROKEN)
		return rc;
	u->e.written = model_place_value(&x->places, &x->m, x->c, t, (uint32_t)u->e.object);
	u->e.writes = true;
	u->first = false;
	u->shape = MODEL_PLAIN;
	model_finish(x, t, u);
	return rc;
}

int model_place_in_buffer(struct model_exec *x, uint32_t t, uint32_t index)
{
	uint32_t n = !wire_model_buffers(x->m.model) ? 0 : machine_buffer(&x->m, x->c, t)->count;

	for (uint32_t i = 0; i < n; i++)
		if (x->threads.items[t].issued[i].index == index)
			return (int)i;
	return -1;
}

int model_commit(struct model_exec *x, uint32_t t, uint32_t place)
{
	struct model_thread *th = &x->threads.items[t];
	struct machine_action a = {.kind = MACHINE_FLUSH, .thread = (uint16_t)t, .arg = place};
	uint32_t n = machine_buffer(&x->m, x->c, t)->count;
	int rc;

	if (!machine_can(&x->m, x->c, &a))
		return MODEL_DIVERGED;
	rc = model_act(x, &a);
	model_emit(x, &th->issued[place]);
	memmove(&th->issued[place], &th->issued[place + 1],
		(n - place - 1) * sizeof(th->issued[0]));
	return rc;
}

int model_issue(struct model_exec *x, uint32_t t, const struct model_upcoming *u)
{
	struct model_thread *th = &x->threads.items[t];
	struct machine_action a = model_run_of(t);
	int rc;

	if (!machine_can(&x->m, x->c, &a))
		return MODEL_DIVERGED;
	th->issued[machine_buffer(&x->m, x->c, t)->count] = u->e;
	th->next = u->e.index + 1;
	rc = model_act(x, &a);
	return rc;
}

/* A write of a part of a place, which is an atomic access in the history. */
static bool is_store(struct model_exec *x, uint32_t t)
{
	const struct learn_step *s = machine_step(&x->m, x->c, t);

	return wire_model_buffers(x->m.model) && s->op == LEARN_WRITE && !(s->flags & LEARN_THROUGH);
}

int model_perform(struct model_exec *x, uint32_t t, struct model_upcoming *u)
{
	struct machine_action a = model_run_of(t);
	struct machine_action flush = {.kind = MACHINE_FLUSH, .thread = (uint16_t)t};
	uint32_t op;
	bool store;
	int rc;

	if (u->rest) {
		model_finish(x, t, u);
		return MODEL_DONE;
	}
	if (u->first)
		return first_half(x, t, u);
	store = is_store(x, t);
	if (store && model_has_stores(x, t))
		return MODEL_DIVERGED;
	if (!machine_can(&x->m, x->c, &a))
		a.kind = MACHINE_EXPIRE;
	if (!machine_can(&x->m, x->c, &a)) {
		x->blocked = u->e.op == SOLVE_RMW && !model_has_stores(x, t);
		return MODEL_DIVERGED;
	}
	op = machine_step(&x->m, x->c, t)->op;
	rc = model_act(x, &a);
	if (rc == MODEL_DONE && store)
		rc = model_act(x, &flush);
	if (rc != MODEL_DONE && rc != MODEL_BROKEN)
		return rc;
	if (x->end != MACHINE_MISUSE || rc == MODEL_DONE)
		see_effect(x, t, u, op);
	model_finish(x, t, u);
	return rc;
}

/* ---- and back ---- */

struct model_mark model_mark(struct model_exec *x, uint32_t t)
{
	return (struct model_mark){.history = x->out->history.count,
			     .path = x->path.count,
			     .last = x->path.count ? vec_last(&x->path)
						   : (struct wire_choice){0},
			     .thread = x->threads.items[t]};
}

void model_go_back(struct model_exec *x, uint32_t t, const struct model_mark *m)
{
	memcpy(x->c, x->before, x->m.bytes);
	x->out->history.count = m->history;
	x->path.count = m->path;
	if (m->path)
		vec_last(&x->path) = m->last;
	x->threads.items[t] = m->thread;
	x->end = MACHINE_DONE;
}
