#include "check/model_exec.h"

#include <stdlib.h>

#define TRIES 3 /* times a question is put before it counts as unanswered */

/* What a step, or a whole attempt, came to; errors are negative, AGAIN and STOP pass through. */
enum verdict {
	DONE = 0,
	DIVERGED = 100,
	LEARNED, /* begin the execution anew */
	BROKEN,	 /* the thread fails, or an assumption does not hold */
	OVER,	 /* the program has ended */
};

struct model_thread {
	uint32_t next;			/* index of its next event */
	bool first_done;		/* of an event in two parts */
	bool has_rest, held_back;	/* held back: its next step would end everything */
	struct solve_event rest;	/* what is still to come of the last event */
	uint64_t breaks_at;		/* what it had read when it was held back */
	struct solve_event issued[MACHINE_STORES]; /* stores in its buffer */
};

void model_exec_renew(struct model_exec *x)
{
	model_places_fini(&x->places);
	x->places = (struct model_places){.changed = false};
	free(x->begin);
	free(x->c);
	free(x->before);
	x->begin = x->c = x->before = NULL;
	x->tries = 0;
}

void model_exec_fini(struct model_exec *x)
{
	model_exec_renew(x);
	vec_free(&x->begin_path);
	vec_free(&x->path);
	vec_free(&x->threads);
}

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
		return OVER;
	}
	rc = x->source->learn(x->source, &x->path, 1, x->e);
	return rc ? rc : LEARNED;
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
		if (s->a == t + 1 || (kind == LEARN_RWLOCK && s->b))
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

static int act(struct model_exec *x, const struct machine_action *a)
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
		return DONE;
	case MACHINE_UNKNOWN:
		return learn_more(x, a);
	case MACHINE_EXITED:
		x->end = r;
		return OVER;
	default:
		x->end = r;
		x->end_thread = a->thread;
		return BROKEN;
	}
}

static struct machine_action run_of(uint32_t t)
{
	return (struct machine_action){.kind = MACHINE_RUN, .thread = (uint16_t)t};
}

static bool can(struct model_exec *x, uint32_t t, enum machine_kind kind)
{
	struct machine_action a = {.kind = (uint16_t)kind, .thread = (uint16_t)t};

	return machine_can(&x->m, x->c, &a);
}

static bool has_stores(struct model_exec *x, uint32_t t)
{
	return x->m.model != MODEL_SC && machine_buffer(&x->m, x->c, t)->count;
}

/* ---- one event ---- */

static void emit(struct model_exec *x, const struct solve_event *e)
{
	vec_push(&x->out->history, *e);
}

/* Takes all silent steps of t that can be taken. */
static int settle(struct model_exec *x, uint32_t t)
{
	struct solve_event e, half;
	int rc = DONE;

	while (rc == DONE && !x->threads.items[t].has_rest && machine_step(&x->m, x->c, t)) {
		struct machine_action a = run_of(t);

		if (model_event(&x->places, &x->m, x->c, t, &e, &half) != MODEL_SILENT ||
		    !machine_can(&x->m, x->c, &a))
			break;
		rc = act(x, &a);
	}
	return rc;
}

struct upcoming {
	struct solve_event e, half;
	enum model_shape shape;
	bool rest, first; /* the end of the last event; the beginning of one in two parts */
};

/* What t would do next; false when it is at its end or cannot get there. */
static bool look(struct model_exec *x, uint32_t t, struct upcoming *u)
{
	struct model_thread *th = &x->threads.items[t];

	*u = (struct upcoming){.rest = th->has_rest, .e = th->rest, .shape = MODEL_PLAIN};
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

static void finish_event(struct model_exec *x, uint32_t t, const struct upcoming *u)
{
	struct model_thread *th = &x->threads.items[t];

	emit(x, &u->e);
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
static void see_effect(struct model_exec *x, uint32_t t, struct upcoming *u, uint32_t op)
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
static int first_half(struct model_exec *x, uint32_t t, struct upcoming *u)
{
	struct machine_action a = {.kind = MACHINE_EXPIRE, .thread = (uint16_t)t};
	int rc;

	if (u->shape == MODEL_FENCED) {
		if (has_stores(x, t))
			return DIVERGED;
		finish_event(x, t, u);
		return DONE;
	}
	if (!machine_thread(&x->m, x->c, t)->sleep) {
		finish_event(x, t, u);
		return DONE;
	}
	if (!machine_can(&x->m, x->c, &a)) {
		x->blocked = true;
		return DIVERGED;
	}
	rc = act(x, &a);
	if (rc != DONE && rc != BROKEN)
		return rc;
	u->e.written = model_place_value(&x->places, &x->m, x->c, t, (uint32_t)u->e.object);
	u->e.writes = true;
	u->first = false;
	u->shape = MODEL_PLAIN;
	finish_event(x, t, u);
	return rc;
}

/* The oldest store of t with this index; -1 when it is not in the buffer. */
static int place_in_buffer(struct model_exec *x, uint32_t t, uint32_t index)
{
	uint32_t n = x->m.model == MODEL_SC ? 0 : machine_buffer(&x->m, x->c, t)->count;

	for (uint32_t i = 0; i < n; i++)
		if (x->threads.items[t].issued[i].index == index)
			return (int)i;
	return -1;
}

static int commit(struct model_exec *x, uint32_t t, uint32_t place)
{
	struct model_thread *th = &x->threads.items[t];
	struct machine_action a = {.kind = MACHINE_FLUSH, .thread = (uint16_t)t, .arg = place};
	uint32_t n = machine_buffer(&x->m, x->c, t)->count;
	int rc;

	if (!machine_can(&x->m, x->c, &a))
		return DIVERGED;
	rc = act(x, &a);
	emit(x, &th->issued[place]);
	memmove(&th->issued[place], &th->issued[place + 1],
		(n - place - 1) * sizeof(th->issued[0]));
	return rc;
}

/* A store goes into the buffer. */
static int issue(struct model_exec *x, uint32_t t, const struct upcoming *u)
{
	struct model_thread *th = &x->threads.items[t];
	struct machine_action a = run_of(t);
	int rc;

	if (!machine_can(&x->m, x->c, &a))
		return DIVERGED;
	th->issued[machine_buffer(&x->m, x->c, t)->count] = u->e;
	th->next = u->e.index + 1;
	rc = act(x, &a);
	return rc;
}

/* A write of a part of a place, which is an atomic access in the history. */
static bool is_store(struct model_exec *x, uint32_t t)
{
	const struct learn_step *s = machine_step(&x->m, x->c, t);

	return x->m.model != MODEL_SC && s->op == LEARN_WRITE && !(s->flags & LEARN_THROUGH);
}

static int perform(struct model_exec *x, uint32_t t, struct upcoming *u)
{
	struct machine_action a = run_of(t);
	struct machine_action flush = {.kind = MACHINE_FLUSH, .thread = (uint16_t)t};
	uint32_t op;
	bool store;
	int rc;

	if (u->rest) {
		finish_event(x, t, u);
		return DONE;
	}
	if (u->first)
		return first_half(x, t, u);
	store = is_store(x, t);
	if (store && has_stores(x, t))
		return DIVERGED;
	if (!machine_can(&x->m, x->c, &a))
		a.kind = MACHINE_EXPIRE;
	if (!machine_can(&x->m, x->c, &a)) {
		x->blocked = u->e.op == SOLVE_RMW && !has_stores(x, t);
		return DIVERGED;
	}
	op = machine_step(&x->m, x->c, t)->op;
	rc = act(x, &a);
	if (rc == DONE && store)
		rc = act(x, &flush);
	if (rc != DONE && rc != BROKEN)
		return rc;
	if (x->end != MACHINE_MISUSE || rc == DONE)
		see_effect(x, t, u, op);
	finish_event(x, t, u);
	return rc;
}

/* ---- the prefix ---- */

/* Performs the event with this index, and the stores before it into the buffer. */
static int obey(struct model_exec *x, struct solve_step name)
{
	uint32_t t = name.thread;
	struct upcoming u;
	int at, rc;

	if (t >= x->m.l->threads.count)
		return DIVERGED;
	at = place_in_buffer(x, t, name.index);
	if (at >= 0)
		return commit(x, t, (uint32_t)at);
	for (;;) {
		rc = settle(x, t);
		if (rc != DONE)
			return rc;
		if (!look(x, t, &u) || u.e.index > name.index)
			return DIVERGED;
		if (u.shape != MODEL_STORE || x->m.model == MODEL_SC) {
			if (u.e.index != name.index)
				return DIVERGED;
			return perform(x, t, &u);
		}
		rc = issue(x, t, &u);
		if (rc != DONE)
			return rc;
		if (u.e.index == name.index)
			return commit(x, t, (uint32_t)place_in_buffer(x, t, name.index));
	}
}

/* ---- what follows it ---- */

static int drain(struct model_exec *x)
{
	struct upcoming u;
	int rc = DONE;

	for (uint32_t t = 0; t < x->m.l->threads.count; t++) {
		while (rc == DONE && has_stores(x, t))
			rc = commit(x, t, 0);
		if (rc == DONE && x->threads.items[t].has_rest && look(x, t, &u))
			finish_event(x, t, &u);
	}
	return rc;
}

/* Puts things back to where they were before t broke off. */
struct mark {
	size_t history, path;
	struct wire_choice last;
	struct model_thread thread;
};

static struct mark mark(struct model_exec *x, uint32_t t)
{
	return (struct mark){.history = x->out->history.count,
			     .path = x->path.count,
			     .last = x->path.count ? vec_last(&x->path)
						   : (struct wire_choice){0},
			     .thread = x->threads.items[t]};
}

static void go_back(struct model_exec *x, uint32_t t, const struct mark *m)
{
	memcpy(x->c, x->before, x->m.bytes);
	x->out->history.count = m->history;
	x->path.count = m->path;
	if (m->path)
		vec_last(&x->path) = m->last;
	x->threads.items[t] = m->thread;
	x->end = MACHINE_DONE;
}

/* One event of t, its stores reaching memory at once.  DIVERGED: it cannot go on. */
static int step(struct model_exec *x, uint32_t t)
{
	struct machine_action a = run_of(t);
	struct upcoming u;
	int rc = settle(x, t);

	if (rc != DONE)
		return rc;
	if (!look(x, t, &u)) {
		const struct learn_step *s = machine_step(&x->m, x->c, t);

		if (!s || s->op != LEARN_EXIT || !machine_can(&x->m, x->c, &a))
			return DIVERGED;
		return act(x, &a);
	}
	if (u.shape == MODEL_WAKE && u.first && machine_thread(&x->m, x->c, t)->sleep)
		return DIVERGED;
	if (!u.rest && !u.first && !machine_can(&x->m, x->c, &a))
		return DIVERGED;
	if (u.shape != MODEL_STORE || x->m.model == MODEL_SC)
		return perform(x, t, &u);
	rc = issue(x, t, &u);
	return rc == DONE ? commit(x, t, 0) : rc;
}

/* The lowest thread that can goes on until it cannot. */
static int run_on(struct model_exec *x, bool *moved)
{
	*moved = false;
	for (uint32_t t = 0; t < x->m.l->threads.count && !*moved; t++) {
		int rc = DONE;

		while (rc == DONE && !x->threads.items[t].held_back) {
			struct mark m = mark(x, t);

			rc = step(x, t);
			*moved |= rc == DONE;
			if (rc != BROKEN)
				continue;
			go_back(x, t, &m);
			x->threads.items[t].held_back = true;
			rc = DIVERGED;
		}
		if (rc != DONE && rc != DIVERGED)
			return rc;
	}
	return DONE;
}

/* Nobody can: the first of those that would break off does, or the first wait expires. */
static int last_resort(struct model_exec *x, bool *moved)
{
	struct upcoming u;

	for (uint32_t t = 0; t < x->m.l->threads.count; t++) {
		if (!x->threads.items[t].held_back)
			continue;
		x->threads.items[t].held_back = false;
		*moved = true;
		return step(x, t);
	}
	for (uint32_t t = 0; t < x->m.l->threads.count; t++) {
		if (!can(x, t, MACHINE_EXPIRE) || !look(x, t, &u))
			continue;
		*moved = true;
		return perform(x, t, &u);
	}
	return DONE;
}

static int proceed(struct model_exec *x)
{
	bool moved = true;
	int rc = drain(x);

	while (rc == DONE && moved) {
		rc = run_on(x, &moved);
		if (rc == DONE && !moved)
			rc = last_resort(x, &moved);
	}
	return rc;
}

/* ---- the end ---- */

static bool is_stopped(const struct model_exec *x, const struct learn_step *s)
{
	return s->op == LEARN_LIMIT || (x->m.loop_bound && s->visits >= x->m.loop_bound);
}

/* What did not reach memory before the end does so now. */
static void empty_buffers(struct model_exec *x)
{
	for (uint32_t t = 0; x->m.model != MODEL_SC && t < x->m.l->threads.count; t++)
		for (uint32_t i = 0; i < machine_buffer(&x->m, x->c, t)->count; i++)
			emit(x, &x->threads.items[t].issued[i]);
}

/* Whether the end of thread t is in the history, or would come next. */
static bool ends(const struct explore_run *out, uint64_t t)
{
	for (size_t i = 0; i < out->history.count; i++)
		if (out->history.items[i].op == SOLVE_END && out->history.items[i].thread == t)
			return true;
	for (size_t i = 0; i < out->pending.count; i++)
		if (out->pending.items[i].op == SOLVE_END && out->pending.items[i].thread == t)
			return true;
	return false;
}

/* What threads would do next.  Joins come last; without an end of the thread they are hopeless. */
static void list_pending(struct model_exec *x, bool joins)
{
	struct upcoming u;

	for (uint32_t t = 0; t < x->m.l->threads.count; t++) {
		const struct learn_step *s = machine_step(&x->m, x->c, t);

		if (!s || is_stopped(x, s) || !look(x, t, &u) || (u.e.op == SOLVE_JOIN) != joins ||
		    (joins && !ends(x->out, u.e.object)))
			continue;
		u.e.writes = false;
		vec_push(&x->out->pending, u.e);
	}
}

static bool any_stopped(struct model_exec *x)
{
	for (uint32_t t = 0; t < x->m.l->threads.count; t++) {
		const struct learn_step *s = machine_step(&x->m, x->c, t);

		if (s && is_stopped(x, s))
			return true;
	}
	return false;
}

static bool all_ended(const struct model_exec *x)
{
	for (uint32_t t = 0; t < x->m.l->threads.count; t++)
		if (machine_thread(&x->m, x->c, t)->state == MACHINE_LIVE)
			return false;
	return true;
}

static enum explore_outcome outcome_of(struct model_exec *x, int verdict)
{
	if (verdict == DONE && any_stopped(x))
		return EXPLORE_LIMITED;
	if (verdict == DONE)
		return all_ended(x) ? EXPLORE_ENDED : EXPLORE_STUCK;
	switch (x->end) {
	case MACHINE_EXITED:
		return EXPLORE_ENDED;
	case MACHINE_ASSUMED:
		return EXPLORE_ASSUMED;
	case MACHINE_UNKNOWN:
		return EXPLORE_LIMITED;
	default:
		return EXPLORE_FAILED;
	}
}

static void conclude(struct model_exec *x, int verdict)
{
	const struct learn_step *s;

	if (verdict == DIVERGED) {
		x->out->outcome = EXPLORE_DIVERGED;
		return;
	}
	empty_buffers(x);
	list_pending(x, false);
	list_pending(x, true);
	x->out->outcome = outcome_of(x, verdict);
	if (x->out->outcome != EXPLORE_FAILED)
		return;
	s = machine_step(&x->m, x->c, x->end_thread);
	x->out->failure = intern_hash(x->end, s ? s->site : 0);
}

/* ---- beginnings ---- */

static bool goes_first(const struct learn_step *s, bool alone)
{
	if (s->op == LEARN_EXIT || s->op == LEARN_FAIL || s->op == LEARN_ASSUME ||
	    s->op == LEARN_LIMIT)
		return false;
	return alone || s->op == LEARN_FORK || s->op == LEARN_BEGIN;
}

/* Main up to where others can have an influence. */
static int prologue(struct model_exec *x)
{
	struct machine_action a = run_of(0);
	bool alone = true;
	const struct learn_step *s;

	while ((s = machine_step(&x->m, x->c, 0)) && goes_first(s, alone) &&
	       machine_can(&x->m, x->c, &a)) {
		struct mark m = mark(x, 0);
		int rc;

		alone &= s->op != LEARN_FORK;
		rc = act(x, &a);
		if (rc == BROKEN) {
			go_back(x, 0, &m);
			return DONE;
		}
		if (rc != DONE)
			return rc;
	}
	return DONE;
}

static void lay_out(struct model_exec *x)
{
	struct learn *l = x->source->l;
	uint32_t loop_bound = x->m.loop_bound;

	machine_init(&x->m, l, x->base.model);
	x->m.loop_bound = loop_bound;
	x->begin = xrealloc(x->begin, x->m.bytes, 1);
	x->c = xrealloc(x->c, x->m.bytes, 1);
	x->before = xrealloc(x->before, x->m.bytes, 1);
	x->known_threads = l->threads.count;
	x->known_objects = l->objects.count;
}

static void reset_threads(struct model_exec *x)
{
	struct model_thread none = {.next = 0};

	vec_clear(&x->threads);
	for (size_t t = 0; t < x->m.l->threads.count; t++)
		vec_push(&x->threads, none);
}

/* Makes the configuration in which every execution begins. */
static int make_begin(struct model_exec *x)
{
	struct learn *l = x->source->l;
	int rc;

	if (l->threads.count == 0 || l->nodes.count < 2) {
		vec_clear(&x->path);
		rc = x->source->learn(x->source, &x->path, 1, x->e);
		return rc ? rc : LEARNED;
	}
	if (x->begin && x->known_threads == l->threads.count &&
	    x->known_objects == l->objects.count)
		return DONE;
	lay_out(x);
	vec_clear(&x->path);
	reset_threads(x);
	machine_begin(&x->m, x->c);
	x->known_objects = SIZE_MAX; /* in case it does not come to its end */
	rc = prologue(x);
	if (rc != DONE)
		return rc;
	x->known_objects = l->objects.count;
	memcpy(x->begin, x->c, x->m.bytes);
	vec_clear(&x->begin_path);
	for (size_t i = 0; i < x->path.count; i++)
		vec_push(&x->begin_path, x->path.items[i]);
	return DONE;
}

static void start(struct model_exec *x)
{
	memcpy(x->c, x->begin, x->m.bytes);
	reset_threads(x);
	vec_clear(&x->path);
	for (size_t i = 0; i < x->begin_path.count; i++)
		vec_push(&x->path, x->begin_path.items[i]);
	vec_clear(&x->out->history);
	vec_clear(&x->out->pending);
	x->out->failure = x->out->marks = 0;
	x->end = MACHINE_DONE;
}

/* ---- one execution ---- */

/* A step of the prefix broke its thread off, and is not the last: it is undone for now. */
static int put_off(struct model_exec *x, struct solve_step name, const struct mark *m)
{
	struct solve_event e;

	if (x->m.model != MODEL_SC || x->out->history.count == m->history)
		return DIVERGED;
	e = vec_last(&x->out->history);
	if (!solve_event_reads(&e))
		return DIVERGED;
	go_back(x, name.thread, m);
	x->threads.items[name.thread].breaks_at = e.value;
	return DONE;
}

/* What was put off is done last, and must find what it found. */
static int catch_up(struct model_exec *x, struct solve_step name)
{
	int rc = obey(x, name);

	if (rc == BROKEN && x->out->history.count &&
	    vec_last(&x->out->history).value == x->threads.items[name.thread].breaks_at)
		return BROKEN;
	return rc == DONE || rc == BROKEN ? DIVERGED : rc;
}

/*
 * A step after which its thread breaks off ends the execution, so it waits until the rest of the
 * prefix is done.  There cannot be two of them.
 */
static int obey_all(struct model_exec *x, const struct solve_step *prefix, size_t n)
{
	size_t late = n;
	int rc = DONE;

	x->blocked = false;
	for (size_t i = 0; rc == DONE && i < n; i++) {
		uint32_t t = prefix[i].thread;
		struct mark m = {.history = 0};

		if (t < x->threads.count)
			m = mark(x, t);
		rc = obey(x, prefix[i]);
		if (rc != BROKEN || (i + 1 == n && late == n))
			continue;
		x->blocked = late < n;
		rc = late < n ? DIVERGED : put_off(x, prefix[i], &m);
		late = i;
	}
	if (rc == DONE && late < n)
		rc = catch_up(x, prefix[late]);
	/* Cut off where the program does not show how it goes on. */
	if (rc == OVER)
		rc = DIVERGED;
	x->refused += rc == DIVERGED && x->blocked;
	x->misfits += rc == DIVERGED && !x->blocked;
	return rc;
}

static int attempt(struct model_exec *x, const struct solve_step *prefix, size_t n)
{
	int rc = make_begin(x);

	if (rc != DONE)
		return rc;
	start(x);
	rc = obey_all(x, prefix, n);
	x->out->prefix = x->out->history.count;
	if (rc == DONE)
		rc = proceed(x);
	if (x->places.changed) {
		x->places.changed = false;
		x->known_objects = SIZE_MAX;
		return MODEL_AGAIN;
	}
	if (rc == LEARNED || rc < 0 || (rc > 0 && rc < DIVERGED))
		return rc;
	conclude(x, rc);
	return DONE;
}

static int execute(struct explore_executor *base, const struct solve_step *prefix, size_t n,
		   struct explore_run *out, struct err *e)
{
	struct model_exec *x = (struct model_exec *)base;
	int rc;

	x->out = out;
	x->e = e;
	do {
		rc = attempt(x, prefix, n);
	} while (rc == LEARNED);
	return rc;
}

static uint64_t initial(struct explore_executor *base, uint64_t object)
{
	struct model_exec *x = (struct model_exec *)base;

	return object < x->known_objects
		       ? model_place_value(&x->places, &x->m, x->begin, LEARN_NONE, (uint32_t)object)
		       : 0;
}

void model_exec_init(struct model_exec *x, struct product_source *source, unsigned model,
		     uint32_t loop_bound)
{
	*x = (struct model_exec){.base = {.model = model, .execute = execute, .initial = initial},
				 .source = source,
				 .m = {.loop_bound = loop_bound}};
}
