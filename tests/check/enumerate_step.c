/* What each operation does to a configuration. */
#include <string.h>

#include "enumerate_priv.h"

/* The step under way. */
struct move {
	const struct config *from;
	struct node n; /* a copy: trees move as they grow */
	int t, threads;
	enum enumerate_model model;
};

/* A thread reads its own newest store, or the memory. */
static int load(const struct config *c, int t, int location)
{
	for (int i = c->buffered[t]; i-- > 0;)
		if (c->buffer[t][i].location == location)
			return c->buffer[t][i].value;
	return c->memory[location] + tree_initial(location);
}

static void put(struct config *c, int location, int value)
{
	c->memory[location] = value - tree_initial(location);
}

/* The thread is done with its operation. */
static bool go_on(struct config *c, int t, int result)
{
	c->phase[t] = PHASE_BEFORE;
	c->nodes[t] = tree_next(c->nodes[t], result);
	enumerate_push(c);
	return true;
}

static bool step_store(const struct move *m)
{
	struct config c = *m->from;
	int *buffered = &c.buffered[m->t];

	if (m->model == SC) {
		put(&c, m->n.location, m->n.value);
	} else {
		limit(*buffered == MAX_BUFFERED, "buffered stores");
		c.buffer[m->t][(*buffered)++] = (struct store){m->n.location, m->n.value};
	}
	return go_on(&c, m->t, 0);
}

/* An atomic update; the result is the old value. */
static bool step_update(const struct move *m)
{
	struct config c = *m->from;
	int old = load(&c, m->t, m->n.location);

	if (m->n.op == OP_ADD)
		put(&c, m->n.location, old + m->n.value);
	else if (m->n.op != OP_CAS || old == m->n.expected)
		put(&c, m->n.location, m->n.value);
	return go_on(&c, m->t, old);
}

static bool step_mutex(const struct move *m)
{
	struct config c = *m->from;
	int *owner = &c.owner[m->n.location];
	bool free = *owner == 0;

	if (m->n.op == OP_UNLOCK) {
		*owner = 0;
		return go_on(&c, m->t, 0);
	}
	if (m->n.op == OP_LOCK && !free)
		return false;
	if (free)
		*owner = m->t + 1;
	return go_on(&c, m->t, m->n.op == OP_TRYLOCK && free);
}

/* Asleep at the place of the step, where n.op may be another one of the same object. */
static bool sleeps_at(const struct move *m, int t)
{
	const struct node *n = tree_node(m->from->nodes[t]);

	return m->from->phase[t] == PHASE_ASLEEP && n->location == m->n.location;
}

bool enumerate_spurious;

/* A sleeper wakes up for no reason. */
static bool wake_for_nothing(const struct move *m)
{
	struct config c = *m->from;

	c.phase[m->t] = PHASE_WOKEN;
	enumerate_push(&c);
	return true;
}

static bool step_wait(const struct move *m)
{
	struct config c = *m->from;
	int *phase = &c.phase[m->t], *owner = &c.owner[m->n.expected];
	bool late = *phase == PHASE_TIMED_OUT;

	if (*phase == PHASE_BEFORE) {
		*owner = 0;
		*phase = PHASE_ASLEEP;
	} else if (*phase == PHASE_ASLEEP) {
		bool woken = enumerate_spurious && wake_for_nothing(m);

		if (m->n.op != OP_TIMEDWAIT)
			return woken;
		*phase = PHASE_TIMED_OUT;
	} else if (*owner != 0) {
		return false;
	} else {
		*owner = m->t + 1;
		return go_on(&c, m->t, late);
	}
	enumerate_push(&c);
	return true;
}

/* A signal wakes any one sleeper, if there is one. */
static bool step_signal(const struct move *m)
{
	bool woken = false;
	struct config c;

	for (int t = 0; t < m->threads; t++) {
		if (!sleeps_at(m, t))
			continue;
		c = *m->from;
		c.phase[t] = PHASE_WOKEN;
		woken = go_on(&c, m->t, 0);
	}
	c = *m->from;
	return woken || go_on(&c, m->t, 0);
}

static bool step_broadcast(const struct move *m)
{
	struct config c = *m->from;

	for (int t = 0; t < m->threads; t++)
		if (sleeps_at(m, t))
			c.phase[t] = PHASE_WOKEN;
	return go_on(&c, m->t, 0);
}

static bool step_semaphore(const struct move *m)
{
	struct config c = *m->from;
	int *tokens = &c.memory[m->n.location];
	bool there = *tokens + tree_initial(m->n.location) > 0;

	if (m->n.op == OP_SEM_POST) {
		++*tokens;
		return go_on(&c, m->t, 0);
	}
	if (m->n.op == OP_SEM_WAIT && !there)
		return false;
	*tokens -= there;
	return go_on(&c, m->t, m->n.op == OP_SEM_TRYWAIT && there);
}

static bool step_rwlock(const struct move *m)
{
	struct config c = *m->from;
	int *writer = &c.owner[m->n.location], *readers = &c.memory[m->n.location];
	bool write = m->n.op == OP_WRLOCK || m->n.op == OP_TRYWRLOCK;
	bool try = m->n.op == OP_TRYRDLOCK || m->n.op == OP_TRYWRLOCK;
	bool free = *writer == 0 && (!write || *readers == 0);

	if (m->n.op == OP_RWUNLOCK) {
		if (*writer == m->t + 1)
			*writer = 0;
		else
			--*readers;
		return go_on(&c, m->t, 0);
	}
	if (!free && !try)
		return false;
	if (free && write)
		*writer = m->t + 1;
	else if (free)
		++*readers;
	return go_on(&c, m->t, try && free);
}

/* The last to arrive lets the others go and is told so. */
static bool step_barrier(const struct move *m)
{
	struct config c = *m->from;
	int *arrived = &c.memory[m->n.location];

	if (c.phase[m->t] == PHASE_ASLEEP)
		return false;
	if (++*arrived < tree_initial(m->n.location)) {
		c.phase[m->t] = PHASE_ASLEEP;
		enumerate_push(&c);
		return true;
	}
	*arrived = 0;
	for (int t = 0; t < m->threads; t++) {
		if (!sleeps_at(m, t))
			continue;
		c.phase[t] = PHASE_BEFORE;
		c.nodes[t] = tree_next(c.nodes[t], 0);
	}
	return go_on(&c, m->t, 1);
}

static bool step_thread_op(const struct move *m)
{
	struct config c = *m->from;
	int other = m->n.value;

	if (m->n.op == OP_SPAWN) {
		c.phase[other] = PHASE_BEFORE;
		return go_on(&c, m->t, 0);
	}
	if (tree_node(c.nodes[other])->op != OP_END || c.buffered[other])
		return false;
	return go_on(&c, m->t, 0);
}

static bool step_plain(const struct move *m)
{
	struct config c = *m->from;

	return go_on(&c, m->t, m->n.op == OP_READ ? load(&c, m->t, m->n.location) : 0);
}

bool step_thread(const struct config *c, int t, int threads, enum enumerate_model model)
{
	static bool (*const steps[])(const struct move *) = {
		[OP_READ] = step_plain,
		[OP_WRITE] = step_store,
		[OP_XCHG] = step_update,
		[OP_ADD] = step_update,
		[OP_CAS] = step_update,
		[OP_FENCE] = step_plain,
		[OP_LOCK] = step_mutex,
		[OP_UNLOCK] = step_mutex,
		[OP_TRYLOCK] = step_mutex,
		[OP_WAIT] = step_wait,
		[OP_TIMEDWAIT] = step_wait,
		[OP_SIGNAL] = step_signal,
		[OP_BROADCAST] = step_broadcast,
		[OP_SEM_WAIT] = step_semaphore,
		[OP_SEM_TRYWAIT] = step_semaphore,
		[OP_SEM_POST] = step_semaphore,
		[OP_RDLOCK] = step_rwlock,
		[OP_WRLOCK] = step_rwlock,
		[OP_TRYRDLOCK] = step_rwlock,
		[OP_TRYWRLOCK] = step_rwlock,
		[OP_RWUNLOCK] = step_rwlock,
		[OP_BARRIER] = step_barrier,
		[OP_SPAWN] = step_thread_op,
		[OP_JOIN] = step_thread_op,
	};
	struct move m = {c, *tree_node(c->nodes[t]), t, threads, model};

	if (m.n.op == OP_END || c->phase[t] == PHASE_NOT_STARTED)
		return false;
	/* All but plain accesses wait until the thread's stores are in memory. */
	if (m.n.op != OP_READ && m.n.op != OP_WRITE && c->buffered[t] > 0)
		return false;
	return steps[m.n.op](&m);
}

/* Store number i of thread t reaches memory, if nothing older keeps it back. */
static bool flush(struct config c, int t, int i, enum enumerate_model model)
{
	struct store s = c.buffer[t][i];
	int last = c.buffered[t] - 1;

	for (int k = 0; k < i; k++)
		if (model == TSO || c.buffer[t][k].location == s.location)
			return false;
	put(&c, s.location, s.value);
	memmove(&c.buffer[t][i], &c.buffer[t][i + 1], (size_t)(last - i) * sizeof(s));
	c.buffered[t]--;
	enumerate_push(&c);
	return true;
}

bool step_flush(const struct config *c, int t, enum enumerate_model model)
{
	bool moved = false;

	for (int i = 0; i < c->buffered[t]; i++)
		moved |= flush(*c, t, i, model);
	return moved;
}
