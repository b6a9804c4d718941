/* What a search comes across: failures, deadlocks, races, states.  See product.h. */
#include "explore/learn/product_priv.h"

#include <assert.h>

void product_report(struct product *p, enum product_event event, uint32_t thread,
		    const struct learn_step *step, machine_config *c)
{
	struct product_finding f = {.event = event,
				    .thread = thread,
				    .step = step,
				    .path = p->path.items,
				    .count = p->path.count,
				    .machine = &p->m,
				    .config = c};

	assert(event == PRODUCT_DEADLOCK || thread < p->m.l->threads.count);
	p->stats->failures += event != PRODUCT_DEADLOCK;
	p->stats->deadlocks += event == PRODUCT_DEADLOCK;
	if (p->o->found && p->o->found(p->o->arg, &f))
		p->over = true;
}

static bool race_between(const struct machine_access *a, const struct machine_access *b)
{
	if ((a->step->flags & b->step->flags & LEARN_ATOMIC) || (!a->writes && !b->writes))
		return false;
	return a->offset < b->offset + b->bytes && b->offset < a->offset + a->bytes;
}

/* The first access may be a store that is under way. */
static void report_race(struct product *p, machine_config *c, const uint32_t threads[2],
			const struct machine_access *a, const struct machine_access *b, bool late)
{
	const struct machine_tail *tail = machine_tail(&p->m, c);
	struct product_race r = {
		.threads = {threads[0], threads[1]},
		.tids = {tail->tid[threads[0]], tail->tid[threads[1]]},
		.steps = {a->step, b->step},
		.writes = {a->writes, b->writes},
		.late = {late, false},
		.tears = {learn_may_tear(a->step, a->bytes), learn_may_tear(b->step, b->bytes)},
		.path = p->path.items,
		.count = p->path.count};
	uint64_t first = a->step->site, second = b->step->site;
	uint64_t low = first < second ? first : second, high = first ^ second ^ low;
	bool tears = r.tears[0] || r.tears[1];

	assert(threads[0] != threads[1] && (a->writes || b->writes));
	/* One pair of places may race with one byte first, with many later. */
	if (!seen_add(&p->races, (uint64_t[2]){low + 1, (high + 1) * 2 + tears}))
		return;
	if (p->o->raced && p->o->raced(p->o->arg, &r))
		p->over = true;
}

static void races_of(struct product *p, machine_config *c, const uint32_t threads[2])
{
	const struct machine_accesses *a = &p->touched[0], *b = &p->touched[1];

	for (size_t i = 0; i < a->count; i++)
		for (size_t k = 0; k < b->count; k++)
			if (race_between(&a->items[i], &b->items[k]))
				report_race(p, c, threads, &a->items[i], &b->items[k], false);
}

/* The step that put a store into its thread's buffer. */
static const struct learn_step *issuer(const struct product *p, machine_config *c, uint32_t t,
				       uint32_t tix)
{
	const struct learn_node *nodes = p->m.l->nodes.items;
	const struct learn_node *n = &nodes[machine_thread(&p->m, c, t)->node];

	for (;; n = &nodes[n->parent]) {
		for (size_t i = 0; i < n->steps.count; i++)
			if (n->steps.items[i].tix == tix && n->steps.items[i].op == LEARN_WRITE)
				return &n->steps.items[i];
		assert(n->depth > 0);
	}
}

/*
 * A store under way meets whoever stands at an access: had anything kept the two apart, it would
 * have reached memory before.
 */
static void late_races_of(struct product *p, machine_config *c, uint32_t t)
{
	const struct machine_buffer *b = machine_buffer(&p->m, c, t);

	for (uint32_t k = 0; k < b->count; k++) {
		const struct rule_store *store = &b->stores[k].store;
		struct machine_access a = {
			.offset = store->at, .bytes = store->size, .writes = true};

		if (!machine_flushable(&p->m, c, t, k))
			continue;
		a.step = issuer(p, c, t, store->tix);
		for (uint32_t u = 0; u < p->m.l->threads.count; u++) {
			if (u == t)
				continue;
			vec_clear(&p->touched[1]);
			machine_touches(&p->m, c, u, &p->touched[1]);
			for (size_t i = 0; i < p->touched[1].count; i++)
				if (race_between(&a, &p->touched[1].items[i]))
					report_race(p, c, (uint32_t[2]){t, u}, &a,
						    &p->touched[1].items[i], true);
		}
	}
}

/*
 * Whether what a thread stands at has to be compared with everything: it is there since the last
 * step only, or what it touches follows from what is in memory.
 */
static bool is_fresh(const struct product *p, machine_config *before, machine_config *c, uint32_t t)
{
	const struct machine_thread *was = machine_thread(&p->m, before, t);
	const struct learn_step *s;

	if (p->m.model != MODEL_SC)
		return true;
	if (memcmp(was, machine_thread(&p->m, c, t), sizeof(*was)) != 0)
		return true;
	s = p->m.l->moves ? machine_step(&p->m, c, t) : NULL;
	return s && ((s->flags & LEARN_LEADS) || s->op == LEARN_READ_STRING);
}

/* Steps of one access each, or of none, that do not race; the others are looked at closely. */
static bool cannot_race(const struct learn_step *a, const struct learn_step *b)
{
	if (!a || !b)
		return true;
	if ((a->flags | b->flags) & LEARN_LEADS)
		return false;
	if (a->op > LEARN_READ_STRING || b->op > LEARN_READ_STRING)
		return true;
	if (a->op > LEARN_RMW || b->op > LEARN_RMW)
		return false;
	if ((a->flags & b->flags & LEARN_ATOMIC) || (a->op == LEARN_READ && b->op == LEARN_READ))
		return true;
	return a->offset + a->size <= b->offset || b->offset + b->size <= a->offset;
}

/* Of a thread with those behind it, and with those before it that were compared already. */
static void races_with(struct product *p, machine_config *before, machine_config *c, uint32_t t)
{
	const struct learn_step *s = machine_step(&p->m, c, t);
	struct machine_accesses mine;

	if (!s || (s->op > LEARN_READ_STRING && !(s->flags & LEARN_LEADS)))
		return;
	vec_clear(&p->touched[0]);
	machine_touches(&p->m, c, t, &p->touched[0]);
	for (uint32_t u = 0; p->touched[0].count && u < p->m.l->threads.count; u++) {
		if (u == t || cannot_race(s, machine_step(&p->m, c, u)) ||
		    (u < t && is_fresh(p, before, c, u)))
			continue;
		vec_clear(&p->touched[1]);
		machine_touches(&p->m, c, u, &p->touched[1]);
		if (u > t) {
			races_of(p, c, (uint32_t[2]){t, u});
			continue;
		}
		mine = p->touched[0];
		p->touched[0] = p->touched[1];
		p->touched[1] = mine;
		races_of(p, c, (uint32_t[2]){u, t});
		p->touched[1] = p->touched[0];
		p->touched[0] = mine;
	}
}

void product_look_for_races(struct product *p, machine_config *before, machine_config *c)
{
	for (uint32_t t = 0; t < p->m.l->threads.count; t++) {
		if (p->m.model != MODEL_SC)
			late_races_of(p, c, t);
		if (is_fresh(p, before, c, t))
			races_with(p, before, c, t);
	}
}

void product_count_state(struct product *p, machine_config *c)
{
	p->stats->states += seen_add(&p->states, (uint64_t[2]){machine_state_hash(&p->m, c), 1});
}

/*
 * A thread that waits for ever may have met no more than one that was let in: the same state, but
 * only one of the two ends leaves somebody behind.
 */
static void count_left_behind(struct product *p, machine_config *c)
{
	p->stats->left_behind +=
		seen_add(&p->states, (uint64_t[2]){machine_state_hash(&p->m, c), 2});
}

bool product_in_cycle(struct product *p, machine_config *c, uint32_t t)
{
	uint32_t at = t;

	for (size_t i = 0; i < p->m.l->threads.count; i++) {
		const struct learn_step *s = machine_step(&p->m, c, at);
		uint32_t owner;

		if (!s || (s->flags & LEARN_TIMED) ||
		    (s->op != LEARN_LOCK && s->op != LEARN_WRLOCK))
			return false;
		owner = machine_owner(&p->m, c, s->object);
		assert(owner <= p->m.l->threads.count);
		if (!owner || s->value > 1)
			return false;
		at = owner - 1;
		if (at == t)
			return true;
	}
	return false;
}

/* What has become of the threads where nobody goes on. */
struct ending {
	bool alive;   /* some have not ended… */
	bool stopped; /* …because of a limit: they could go on */
	bool barred;
	bool assumed; /* an assumption does not hold: the execution does not count */
	bool vain;    /* it would go on, as others show that are looked at (learn_fold()) */
};

static struct ending ending_of(struct product *p, machine_config *c)
{
	struct ending e = {.alive = false};

	for (uint32_t t = 0; t < p->m.l->threads.count; t++) {
		const struct machine_thread *x = machine_thread(&p->m, c, t);
		const struct learn_step *s = machine_step(&p->m, c, t);

		/* Who stands at the end of the process is through. */
		if (x->state == MACHINE_UNBORN || x->state == MACHINE_ENDED ||
		    (s && s->op == LEARN_EXIT))
			continue;
		e.alive = true;
		e.barred |= x->state == MACHINE_BARRED;
		e.assumed |= s && s->op == LEARN_ASSUME;
		e.vain |= machine_turns_back(&p->m, c, t);
		e.stopped |= s && (s->op == LEARN_LIMIT ||
				   (p->m.loop_bound && s->visits >= p->m.loop_bound));
	}
	return e;
}

void product_look_at_end(struct product *p, machine_config *c)
{
	struct ending e = ending_of(p, c);

	p->stats->assumed += e.assumed;
	if (e.barred || e.assumed || e.vain)
		return;
	if (e.stopped) {
		p->stats->limited++;
		return;
	}
	product_count_state(p, c);
	if (e.alive)
		product_report(p, PRODUCT_DEADLOCK, LEARN_NONE, NULL, c);
}

void product_look_at_exit(struct product *p, machine_config *c)
{
	struct ending e = ending_of(p, c);

	p->stats->assumed += e.assumed;
	/* The process may have ended before somebody came to what does not hold: see product.h. */
	if (e.assumed) {
		p->stats->cut_short +=
			seen_add(&p->states, (uint64_t[2]){machine_state_hash(&p->m, c), 3});
		return;
	}
	/* The process may end here, but a thread that a limit stopped could have done more first.
	 */
	if (e.stopped && !e.barred)
		p->stats->limited++;
	product_count_state(p, c);
	if (e.alive && !e.stopped && !e.barred)
		count_left_behind(p, c);
}
