#include "explain/order.h"

#include <assert.h>

static void add(struct explain_order *out, uint32_t op, uint32_t thread)
{
	vec_push(out, ((struct explain_step){op, thread, false}));
}

void explain_order_move(const struct explain_exec *f, const struct explain_move *m,
			struct explain_order *out)
{
	uint32_t n = (uint32_t)f->ops.count;
	uint32_t end = m->last == EXPLAIN_NONE ? n : m->last + 1;

	assert(m->first <= end && end <= n);
	vec_clear(out);
	for (uint32_t i = 0; i < m->first; i++)
		add(out, i, 0);
	for (uint32_t i = m->first; i < end; i++)
		if (f->ops.items[i].thread == m->thread)
			add(out, i, 0);
	if (m->last == EXPLAIN_NONE)
		add(out, EXPLAIN_NONE, m->thread);
	for (uint32_t i = m->first; i < end; i++)
		if (f->ops.items[i].thread != m->thread)
			add(out, i, 0);
	for (uint32_t i = end; i < n; i++)
		add(out, i, 0);
}

/* ---- critical sections ---- */

/* How an operation changes the number of locks its thread holds; a wait gives its mutex up. */
static int depth_change(const struct wire_event *v)
{
	if (explain_takes(v) || v->kind == EVENT_COND_WAKE || v->kind == EVENT_COND_TIMEOUT)
		return 1;
	return explain_gives(v) || v->kind == EVENT_COND_WAIT ? -1 : 0;
}

/* Beginning and end of the outermost section around `op'; both `op' when there is none. */
static void find_section(const struct explain_exec *f, uint32_t op, uint32_t *begin, uint32_t *end)
{
	uint32_t thread = f->ops.items[op].thread, from = EXPLAIN_NONE;
	int depth = 0;

	*begin = *end = op;
	for (uint32_t i = 0; i < f->ops.count; i++) {
		int change;

		if (f->ops.items[i].thread != thread)
			continue;
		change = depth_change(explain_event(f, i));
		if (change > 0 && depth++ == 0)
			from = i;
		if (change < 0 && depth > 0 && --depth == 0) {
			if (from <= op && op <= i) {
				*begin = from;
				*end = i;
				return;
			}
			from = EXPLAIN_NONE;
		}
	}
	/* The section was still open when the execution ended. */
	if (from != EXPLAIN_NONE && from <= op) {
		*begin = from;
		*end = EXPLAIN_NONE;
	}
}

struct explain_move explain_move_close(const struct explain_exec *f, const struct explain_move *m)
{
	struct explain_move out = *m;
	uint32_t unused;

	find_section(f, m->first, &out.first, &unused);
	if (m->last != EXPLAIN_NONE)
		find_section(f, m->last, &unused, &out.last);
	return out;
}

/* ---- schedules ---- */

struct writer {
	const struct explain_exec *f;
	struct model_schedule *out;
	uint32_t *tid;	 /* by thread: its number when this order is carried out */
	uint32_t *woken; /* by op: thread that this signal wakes, EXPLAIN_NONE */
	uint32_t threads, created;
	VEC(uint32_t) asleep; /* operations of threads that sleep, oldest first */
};

static void choose(struct writer *w, enum choice_kind kind, uint32_t thread, uint32_t arg)
{
	if (thread < w->threads && w->tid[thread] != EXPLAIN_NONE)
		vec_push(w->out,
			 ((struct wire_choice){(uint8_t)kind, 0, (uint16_t)w->tid[thread], arg}));
}

static void run_until(struct writer *w, uint32_t thread, uint32_t tix)
{
	struct wire_choice *last = w->out->count ? &vec_last(w->out) : NULL;

	if (thread >= w->threads || w->tid[thread] == EXPLAIN_NONE)
		return;
	if (last && last->kind == CHOICE_UNTIL && last->tid == w->tid[thread]) {
		last->arg = last->arg > tix ? last->arg : tix;
		return;
	}
	choose(w, CHOICE_UNTIL, thread, tix);
}

static void wake_up(struct writer *w, uint32_t at)
{
	for (size_t i = at + 1; i < w->asleep.count; i++)
		w->asleep.items[i - 1] = w->asleep.items[i];
	w->asleep.count--;
}

/* Whom a signal wakes is an inner choice: the place among those that sleep. */
static void signal_one(struct writer *w, uint32_t op)
{
	const struct wire_event *v = explain_event(w->f, op);
	uint32_t place = 0, found = EXPLAIN_NONE, sleepers = 0;

	for (uint32_t i = 0; i < w->asleep.count; i++) {
		uint32_t sleeper = w->asleep.items[i];

		if (explain_event(w->f, sleeper)->addr != v->addr)
			continue;
		if (found == EXPLAIN_NONE && w->f->ops.items[sleeper].thread == w->woken[op]) {
			found = i;
			place = sleepers;
		}
		sleepers++;
	}
	if (found == EXPLAIN_NONE)
		return;
	if (sleepers > 1)
		choose(w, CHOICE_PICK, w->f->ops.items[op].thread, place);
	wake_up(w, found);
}

static void wake_all(struct writer *w, uint64_t condition)
{
	for (uint32_t i = (uint32_t)w->asleep.count; i-- > 0;)
		if (explain_event(w->f, w->asleep.items[i])->addr == condition)
			wake_up(w, i);
}

static void no_longer_asleep(struct writer *w, uint32_t thread)
{
	for (uint32_t i = (uint32_t)w->asleep.count; i-- > 0;)
		if (w->f->ops.items[w->asleep.items[i]].thread == thread)
			wake_up(w, i);
}

static void write_op(struct writer *w, uint32_t op)
{
	const struct wire_event *v = explain_event(w->f, op);
	uint32_t thread = w->f->ops.items[op].thread;

	if (explain_is_commit(w->f, op)) {
		choose(w, CHOICE_COMMIT, thread, v->tix);
		return;
	}
	if (v->kind == EVENT_COND_SIGNAL)
		signal_one(w, op);
	run_until(w, thread, v->tix);
	if (v->kind == EVENT_COND_BROADCAST)
		wake_all(w, v->addr);
	else if (v->kind == EVENT_COND_WAIT)
		vec_push(&w->asleep, op);
	else if (v->kind == EVENT_COND_WAKE || v->kind == EVENT_COND_TIMEOUT)
		no_longer_asleep(w, thread);
	if (v->kind == EVENT_THREAD_CREATE && v->aux < w->f->thread.count &&
	    w->tid[w->f->thread.items[v->aux]] == EXPLAIN_NONE)
		w->tid[w->f->thread.items[v->aux]] = w->created++;
}

/* Threads have the numbers of the failing execution, and behind them those it did not have. */
static uint32_t count_threads(const struct explain_exec *x)
{
	uint32_t n = 0;

	for (size_t i = 0; i < x->thread.count; i++)
		n = x->thread.items[i] >= n ? x->thread.items[i] + 1 : n;
	return n;
}

static void find_woken(struct writer *w)
{
	for (uint32_t i = 0; i < w->f->ops.count; i++)
		w->woken[i] = EXPLAIN_NONE;
	for (uint32_t i = 0; i < w->f->ops.count; i++) {
		const struct explain_op *o = &w->f->ops.items[i];

		if (explain_event(w->f, i)->kind == EVENT_COND_WAKE && o->source != EXPLAIN_NONE)
			w->woken[o->source] = o->thread;
	}
}

void explain_order_wish(const struct explain_exec *f, const struct explain_order *order,
			struct model_schedule *out)
{
	struct writer w = {.f = f, .out = out, .threads = count_threads(f)};

	vec_clear(out);
	w.tid = xmalloc((w.threads + 1) * sizeof(*w.tid));
	w.woken = xmalloc((f->ops.count + 1) * sizeof(*w.woken));
	memset(w.tid, 0xff, (w.threads + 1) * sizeof(*w.tid));
	find_woken(&w);
	for (size_t i = 0; i < order->count; i++)
		if (order->items[i].op != EXPLAIN_NONE && order->items[i].wakes)
			w.woken[order->items[i].op] = order->items[i].thread;
	w.tid[0] = w.created++;
	for (size_t i = 0; i < order->count; i++) {
		if (order->items[i].op != EXPLAIN_NONE)
			write_op(&w, order->items[i].op);
		else if (order->items[i].wakes)
			choose(&w, CHOICE_SPURIOUS, order->items[i].thread, 1);
		else
			run_until(&w, order->items[i].thread, UINT32_MAX - 1);
	}
	vec_free(&w.asleep);
	free(w.woken);
	free(w.tid);
}
