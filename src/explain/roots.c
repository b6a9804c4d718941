#include "explain/roots.h"

#include <assert.h>

#include "explain/memory.h"

#define MAX_ROOTS 3
/* When that is not enough, as many as it takes, up to this. */
#define MAX_MANY 8
/* So many of a run's differences are looked at when one has to be chosen. */
#define MAX_WIDTH 48
/* Reads have at least this rank. */
#define READ_RANK (UINT64_C(1) << 40)
/* Two reads say more than one lock. */
#define MAX_READS 2

struct finder {
	const struct explain_search *s;
	size_t items;
	uint64_t *rank; /* by item */
	bool reads_only;
	bool absent; /* an operation that a run did not come to counts as one that got something
			else */
	uint32_t chosen[MAX_MANY], best[MAX_MANY];
	unsigned best_count;
	uint64_t best_rank;
};

static enum explain_held held(const struct finder *f, const struct explain_seen *seen,
			      uint32_t item)
{
	assert(item < f->items);
	return (enum explain_held)f->s->held.items[seen->first + item];
}

static bool hit(const struct finder *f, const struct explain_seen *seen, uint32_t item)
{
	enum explain_held h = held(f, seen, item);

	return h == HELD_OTHER || (f->absent && h == HELD_ABSENT);
}

static bool hits(const struct finder *f, const struct explain_seen *seen, const uint32_t *chosen,
		 unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (hit(f, seen, chosen[i]))
			return true;
	return false;
}

/* Which threads were at a byte: one, or several. */
#define SEVERAL (UINT32_MAX - 1)

static void note_threads(struct explain_memory *m, const struct explain_exec *x)
{
	for (uint32_t i = 0; i < x->ops.count; i++) {
		const struct wire_event *v = explain_event(x, i);
		uint64_t n = v->kind == EVENT_ALLOC || v->kind == EVENT_FREE ? 0 : explain_bytes(v);

		for (uint64_t k = 0; k < n; k++) {
			uint32_t who = explain_memory_get(m, v->addr + k);

			explain_memory_set(m, v->addr + k,
					   who == EXPLAIN_NONE || who == x->ops.items[i].thread
						   ? x->ops.items[i].thread
						   : SEVERAL);
		}
	}
}

static bool is_shared(const struct explain_memory *m, const struct wire_event *v)
{
	for (uint64_t k = 0; k < explain_bytes(v); k++)
		if (explain_memory_get(m, v->addr + k) == SEVERAL)
			return true;
	return false;
}

static bool is_call(const struct wire_event *v)
{
	return v->kind == EVENT_COND_SIGNAL || v->kind == EVENT_COND_BROADCAST ||
	       v->kind == EVENT_COND_WAKE || v->kind == EVENT_SEM_WAIT;
}

static bool is_from_another(const struct explain_exec *x, uint32_t op)
{
	uint32_t from = x->ops.items[op].source;

	return from != EXPLAIN_NONE && x->ops.items[from].thread != x->ops.items[op].thread;
}

/* How much a read tells: what others wrote, what the user's code reads, what is another value. */
static uint64_t rank_of_read(const struct explain_search *s, uint32_t op)
{
	const struct explain_exec *f = &s->failing->exec;
	const struct wire_event *v = explain_event(f, op);
	uint32_t at = explain_exec_find(&s->best, f->ops.items[op].key);
	bool from_another =
		is_from_another(f, op) || (at != EXPLAIN_NONE && is_from_another(&s->best, at));
	bool differs = at == EXPLAIN_NONE || explain_event(&s->best, at)->value != v->value;

	return READ_RANK | (uint64_t)from_another << 37 |
	       (uint64_t)explain_search_is_users(s, v->site) << 36 | (uint64_t)differs << 35;
}

/*
 * Reads say more than locks, and those than where a thread stood; near the failure most.  Of
 * threads that sleep for ever, who called whom says most.  What one thread keeps for itself says
 * little.
 */
static uint64_t rank_of(const struct explain_search *s, const struct explain_memory *threads,
			size_t item)
{
	const struct explain_op *o;
	const struct wire_event *v;
	uint32_t op;
	uint64_t rank = 0;

	if (item >= s->interest.count)
		return 1;
	op = s->interest.items[item];
	o = &s->failing->exec.ops.items[op];
	v = explain_event(&s->failing->exec, op);
	if (explain_reads(v) && is_shared(threads, v))
		rank = rank_of_read(s, op);
	else if (is_call(v) && s->failing->thread == EXPLAIN_NONE)
		rank = READ_RANK * 2;
	return rank | (uint64_t)(o->thread == s->failing->thread) << 33 | UINT64_C(1) << 32 | op;
}

static void rank_all(struct finder *f)
{
	struct explain_memory threads = {.cells = VEC_INIT};

	note_threads(&threads, &f->s->failing->exec);
	note_threads(&threads, &f->s->best);
	f->rank = xmalloc((f->items + 1) * sizeof(*f->rank));
	for (size_t i = 0; i < f->items; i++)
		f->rank[i] = rank_of(f->s, &threads, i);
	explain_memory_fini(&threads);
}

/* The first passing run that none of the chosen accounts for. */
static const struct explain_seen *first_open(const struct finder *f, unsigned n)
{
	for (size_t i = 0; i < f->s->seen.count; i++)
		if (f->s->seen.items[i].passed && !hits(f, &f->s->seen.items[i], f->chosen, n))
			return &f->s->seen.items[i];
	return NULL;
}

static void keep(struct finder *f, unsigned n)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < n; i++)
		sum += f->rank[f->chosen[i]];
	if (f->best_count && sum <= f->best_rank)
		return;
	f->best_rank = sum;
	f->best_count = n;
	memcpy(f->best, f->chosen, sizeof(f->best));
}

/* Sets of at most `most' that hit every passing run: the first open one is branched on. */
static void search(struct finder *f, unsigned n, unsigned most)
{
	const struct explain_seen *open = first_open(f, n);
	unsigned width = 0;

	if (!open) {
		if (n > 0)
			keep(f, n);
		return;
	}
	for (uint32_t i = (uint32_t)f->items; i-- > 0 && n < most && width < MAX_WIDTH;) {
		if (!hit(f, open, i) || (f->reads_only && f->rank[i] < READ_RANK))
			continue;
		f->chosen[n] = i;
		search(f, n + 1, most);
		width++;
	}
}

static int by_number(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/* What every thread read, whatever the order; and where it stood when it did not end. */
static uint64_t state_of(const struct explain_exec *x)
{
	uint64_t state = 0;

	for (uint32_t i = 0; i < x->ops.count; i++) {
		const struct wire_event *v = explain_event(x, i);

		if (explain_reads(v) || explain_syncs(v))
			state += lookup_mix(lookup_mix(x->ops.items[i].key, v->kind),
					    explain_reads(v) ? v->value : 0);
	}
	return state;
}

static uint64_t count_states(const struct explain_search *s)
{
	VEC(uint64_t) states = VEC_INIT;
	uint64_t n = 0;

	for (size_t i = 0; i < s->seen.count; i++)
		vec_push(&states, state_of(s->seen.items[i].x));
	if (states.count > 1)
		qsort(states.items, states.count, sizeof(uint64_t), by_number);
	for (size_t i = 0; i < states.count; i++)
		n += i == 0 || states.items[i] != states.items[i - 1];
	vec_free(&states);
	return n;
}

static struct explanation_proof count(const struct finder *f, const uint32_t *chosen, unsigned n)
{
	struct explanation_proof p = {.decides = false};

	for (size_t i = 0; i < f->s->seen.count; i++) {
		const struct explain_seen *seen = &f->s->seen.items[i];
		bool with = true;

		for (unsigned k = 0; k < n && with; k++)
			with = held(f, seen, chosen[k]) == HELD_SAME;
		p.with += with;
		p.failed += with && seen->failed;
		p.without += !with;
		p.passed += !with && seen->passed;
		p.same_path += seen->passed && seen->same_path;
	}
	p.states = count_states(f->s);
	p.proved = f->s->exhausted;
	memcpy(p.not_all, f->s->not_all, sizeof(p.not_all));
	p.decides = n > 0 && p.with > 0 && p.failed == p.with && p.passed > 0;
	return p;
}

/* More than a few: always the one that accounts for most, and then without those it can do without.
 */
static void search_many(struct finder *f)
{
	unsigned n = 0;

	while (first_open(f, n) && n < MAX_MANY) {
		uint64_t most = 0;
		uint32_t best = 0;

		for (uint32_t i = (uint32_t)f->items; i-- > 0;) {
			uint64_t hit_now = 0;

			for (size_t k = 0; k < f->s->seen.count; k++)
				hit_now += f->s->seen.items[k].passed &&
					   hit(f, &f->s->seen.items[k], i) &&
					   !hits(f, &f->s->seen.items[k], f->chosen, n);
			if (hit_now > most) {
				most = hit_now;
				best = i;
			}
		}
		if (most == 0)
			return;
		f->chosen[n++] = best;
	}
	for (unsigned i = 0; i < n && !first_open(f, n);) {
		uint32_t left_out = f->chosen[i];

		f->chosen[i] = f->chosen[n - 1];
		if (first_open(f, n - 1)) {
			f->chosen[i] = left_out;
			i++;
		} else {
			n--;
		}
	}
	if (n > 0 && !first_open(f, n))
		keep(f, n);
}

void explain_roots_account(const struct explain_search *s, struct explanation_proof *out)
{
	struct finder f = {.s = s, .items = s->interest.count + s->failing->standing.count};

	*out = count(&f, NULL, 0);
}

static uint32_t item_of(const struct explain_search *s, const struct explain_variation *v)
{
	if (v->standing != EXPLAIN_NONE)
		return (uint32_t)s->interest.count + v->standing;
	for (uint32_t i = 0; i < s->interest.count; i++)
		if (s->interest.items[i] == v->failing)
			return i;
	return EXPLAIN_NONE;
}

/* Nothing decides: then all that differs is named. */
static void name_all(const struct finder *f, struct explain_roots *out)
{
	for (size_t i = 0; i < f->s->difference.variations.count; i++) {
		uint32_t item = item_of(f->s, &f->s->difference.variations.items[i]);

		if (item != EXPLAIN_NONE && out->chosen.count < MAX_ROOTS)
			vec_push(&out->chosen, item);
	}
}

void explain_roots_find(const struct explain_search *s, struct explain_roots *out)
{
	struct finder f = {.s = s, .items = s->interest.count + s->failing->standing.count};

	*out = (struct explain_roots){.chosen = VEC_INIT};
	rank_all(&f);
	for (int absent = 0; absent < 2 && f.best_count == 0; absent++) {
		f.absent = absent;
		/* Of threads that are stuck, locks and signals are what matters. */
		f.reads_only = s->failing->thread != EXPLAIN_NONE;
		for (unsigned most = 1; most <= MAX_READS && f.reads_only && f.best_count == 0;
		     most++)
			search(&f, 0, most);
		f.reads_only = false;
		for (unsigned most = 1; most <= MAX_ROOTS && f.best_count == 0; most++)
			search(&f, 0, most);
		if (f.best_count == 0)
			search_many(&f);
	}
	for (unsigned i = 0; i < f.best_count; i++)
		vec_push(&out->chosen, f.best[i]);
	if (f.best_count == 0)
		name_all(&f, out);
	out->proof = count(&f, out->chosen.items, (unsigned)out->chosen.count);
	out->proof.decides = out->proof.decides && f.best_count > 0;
	free(f.rank);
}

void explain_roots_fini(struct explain_roots *r)
{
	vec_free(&r->chosen);
}
