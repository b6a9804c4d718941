#include "explain/roots.h"

#include <assert.h>

#define MAX_ROOTS 3
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
	uint32_t chosen[MAX_ROOTS], best[MAX_ROOTS];
	unsigned best_count;
	uint64_t best_rank;
};

static enum explain_held held(const struct finder *f, const struct explain_seen *seen,
			      uint32_t item)
{
	assert(item < f->items);
	return (enum explain_held)f->s->held.items[seen->first + item];
}

static bool hits(const struct finder *f, const struct explain_seen *seen, const uint32_t *chosen,
		 unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (held(f, seen, chosen[i]) == HELD_OTHER)
			return true;
	return false;
}

/* Reads say more than locks, and those than where a thread stood; near the failure most. */
static uint64_t rank_of(const struct explain_search *s, size_t item)
{
	const struct explain_op *o;
	uint32_t op;

	if (item >= s->interest.count)
		return 1;
	op = s->interest.items[item];
	o = &s->failing->exec.ops.items[op];
	return (explain_reads(explain_event(&s->failing->exec, op)) ? READ_RANK : 0) |
	       (uint64_t)(o->thread == s->failing->thread) << 33 | UINT64_C(1) << 32 | op;
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
		if (held(f, open, i) != HELD_OTHER || (f->reads_only && f->rank[i] < READ_RANK))
			continue;
		f->chosen[n] = i;
		search(f, n + 1, most);
		width++;
	}
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
	}
	p.decides = n > 0 && p.with > 0 && p.failed == p.with && p.passed > 0;
	return p;
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
	f.rank = xmalloc((f.items + 1) * sizeof(*f.rank));
	for (size_t i = 0; i < f.items; i++)
		f.rank[i] = rank_of(s, i);
	/* Of threads that are stuck, locks and signals are what matters. */
	f.reads_only = s->failing->thread != EXPLAIN_NONE;
	for (unsigned most = 1; most <= MAX_READS && f.reads_only && f.best_count == 0; most++)
		search(&f, 0, most);
	f.reads_only = false;
	for (unsigned most = 1; most <= MAX_ROOTS && f.best_count == 0; most++)
		search(&f, 0, most);
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
