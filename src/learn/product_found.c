/* What a search comes across: failures, deadlocks, races, states.  See product.h. */
#include "learn/product_priv.h"

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

	p->stats->failures += event != PRODUCT_DEADLOCK;
	p->stats->deadlocks += event == PRODUCT_DEADLOCK;
	if (p->o->found && p->o->found(p->o->arg, &f))
		p->over = true;
}

static bool is_access(const struct learn_step *s)
{
	return s->op == LEARN_READ || s->op == LEARN_WRITE || s->op == LEARN_RMW ||
	       s->op == LEARN_READ_BYTES || s->op == LEARN_WRITE_BYTES;
}

static uint32_t access_bytes(const struct learn_step *s)
{
	return s->op == LEARN_READ_BYTES || s->op == LEARN_WRITE_BYTES ? (uint32_t)s->value
								       : s->size;
}

static bool is_write(const struct learn_step *s)
{
	return s->op != LEARN_READ && s->op != LEARN_READ_BYTES;
}

static bool race_between(const struct learn_step *a, const struct learn_step *b)
{
	if ((a->flags & b->flags & LEARN_ATOMIC) || (!is_write(a) && !is_write(b)))
		return false;
	return a->offset < b->offset + access_bytes(b) && b->offset < a->offset + access_bytes(a);
}

static void report_race(struct product *p, machine_config *c, uint32_t t, uint32_t u)
{
	const struct learn_step *a = machine_step(&p->m, c, t), *b = machine_step(&p->m, c, u);
	const struct machine_tail *tail = machine_tail(&p->m, c);
	struct product_race r = {.threads = {t, u},
				 .tids = {tail->tid[t], tail->tid[u]},
				 .steps = {a, b},
				 .path = p->path.items,
				 .count = p->path.count};
	uint64_t low = a->site < b->site ? a->site : b->site, high = a->site ^ b->site ^ low;

	if (!seen_add(&p->races, (uint64_t[2]){low + 1, high + 1}))
		return;
	if (p->o->raced && p->o->raced(p->o->arg, &r))
		p->over = true;
}

void product_look_for_races(struct product *p, machine_config *c)
{
	uint32_t n = (uint32_t)p->m.l->threads.count;

	for (uint32_t t = 0; t < n; t++) {
		const struct learn_step *a = machine_step(&p->m, c, t);

		if (!a || !is_access(a))
			continue;
		for (uint32_t u = t + 1; u < n; u++) {
			const struct learn_step *b = machine_step(&p->m, c, u);

			if (b && is_access(b) && race_between(a, b))
				report_race(p, c, t, u);
		}
	}
}

void product_count_state(struct product *p, machine_config *c)
{
	uint64_t h = machine_state_hash(&p->m, c);

	if (seen_add(&p->states, (uint64_t[2]){h, 1}))
		p->stats->states++;
}

bool product_in_cycle(struct product *p, machine_config *c, uint32_t t)
{
	uint32_t at = t;

	for (size_t i = 0; i < p->m.l->threads.count; i++) {
		const struct learn_step *s = machine_step(&p->m, c, at);
		uint32_t owner;

		if (!s || (s->flags & LEARN_TIMED) || (s->op != LEARN_LOCK && s->op != LEARN_WRLOCK))
			return false;
		owner = machine_sync(&p->m, c, s->object)->a;
		if (!owner || s->value > 1)
			return false;
		at = owner - 1;
		if (at == t)
			return true;
	}
	return false;
}

void product_look_at_end(struct product *p, machine_config *c)
{
	bool all_ended = true, stopped = false, barred = false;

	for (uint32_t t = 0; t < p->m.l->threads.count; t++) {
		const struct machine_thread *x = machine_thread(&p->m, c, t);
		const struct learn_step *s = machine_step(&p->m, c, t);

		if (x->state == MACHINE_UNBORN || x->state == MACHINE_ENDED)
			continue;
		all_ended = false;
		barred |= x->state == MACHINE_BARRED;
		stopped |= s && (s->op == LEARN_LIMIT ||
				 (p->m.loop_bound && s->visits >= p->m.loop_bound));
	}
	if (barred)
		return;
	if (stopped) {
		p->stats->limited++;
		return;
	}
	product_count_state(p, c);
	if (!all_ended)
		product_report(p, PRODUCT_DEADLOCK, LEARN_NONE, NULL, c);
}
