#include "explain/core.h"

#include <assert.h>

/* Longer executions have too many orderings. */
#define MAX_OPS 600
#define MAX_ORDERS 20000
/* Executions that are asked. */
#define MAX_ASKED 2048
#define MAX_CORE 6

/* ---- orderings ---- */

void explain_core_chain(const struct explain_exec *f, struct explain_conflicts *out)
{
	for (uint32_t i = 0; i + 1 < f->ops.count; i++)
		if (f->ops.items[i].thread != f->ops.items[i + 1].thread)
			vec_push(out, ((struct explain_conflict){i, i + 1}));
}

static bool are_ordered(const struct wire_event *a, const struct wire_event *b)
{
	if (explain_syncs(a) || explain_syncs(b))
		return explain_gives(a) && explain_takes(b) &&
		       explain_object(a) == explain_object(b);
	return explain_bytes(a) > 0 && explain_bytes(b) > 0 &&
	       (explain_writes(a) || explain_writes(b)) && a->addr < b->addr + explain_bytes(b) &&
	       b->addr < a->addr + explain_bytes(a);
}

void explain_core_conflicts(const struct explain_exec *f, struct explain_conflicts *out)
{
	for (uint32_t k = 1; k < f->ops.count; k++)
		for (uint32_t i = 0; i < k; i++)
			if (f->ops.items[i].thread != f->ops.items[k].thread &&
			    are_ordered(explain_event(f, i), explain_event(f, k)))
				vec_push(out, ((struct explain_conflict){i, k}));
}

/* ---- who breaks what ---- */

struct table {
	const struct explain_search *s;
	const struct explain_conflicts *orders;
	size_t asked;	  /* executions */
	size_t words;	  /* of a row */
	uint64_t *broken; /* by ordering: a bit for every execution that cannot keep it */
};

static bool bit(const uint64_t *row, size_t i)
{
	return row[i / 64] >> (i % 64) & 1;
}

/* past: by operation, a row with all that comes before it. */
static uint64_t *find_pasts(const struct explain_causal *c, size_t words)
{
	size_t n = c->x->ops.count;
	uint64_t *past = xcalloc(n * words + 1, sizeof(*past));

	for (size_t i = 0; i < n; i++)
		for (uint32_t k = c->begin[i]; k < c->begin[i + 1]; k++) {
			size_t before = c->before[k];

			assert(before < i);
			for (size_t w = 0; w < words; w++)
				past[i * words + w] |= past[before * words + w];
			past[i * words + before / 64] |= UINT64_C(1) << (before % 64);
		}
	return past;
}

static void ask(struct table *t, const struct explain_seen *seen)
{
	const struct explain_exec *f = &t->s->failing->exec, *x = seen->x;
	size_t words = x->ops.count / 64 + 1;
	uint64_t *past = find_pasts(&seen->causal, words);

	for (size_t i = 0; i < t->orders->count; i++) {
		const struct explain_conflict *o = &t->orders->items[i];
		uint32_t first = explain_exec_find(x, f->ops.items[o->first].key);
		uint32_t second = explain_exec_find(x, f->ops.items[o->second].key);

		/* The second without the first, which the end cut off, is out of order as well. */
		if (second == EXPLAIN_NONE ||
		    (first != EXPLAIN_NONE && !bit(&past[first * words], second)))
			continue;
		t->broken[i * t->words + t->asked / 64] |= UINT64_C(1) << (t->asked % 64);
	}
	t->asked++;
	free(past);
}

static bool is_asked(const struct explain_seen *seen)
{
	return seen->passed && seen->same_path && seen->x->ops.count <= 2 * MAX_OPS;
}

/* False: there are too many of something. */
static bool fill(struct table *t)
{
	size_t n = 0;

	for (size_t i = 0; i < t->s->seen.count; i++)
		n += is_asked(&t->s->seen.items[i]);
	if (n == 0 || n > MAX_ASKED || t->orders->count > MAX_ORDERS)
		return false;
	t->words = n / 64 + 1;
	t->broken = xcalloc(t->orders->count * t->words + 1, sizeof(*t->broken));
	for (size_t i = 0; i < t->s->seen.count; i++)
		if (is_asked(&t->s->seen.items[i]))
			ask(t, &t->s->seen.items[i]);
	return true;
}

/* Every execution asked breaks one of the chosen, the one at `without' not considered. */
static bool keeps_all_out(const struct table *t, const uint32_t *chosen, size_t n, size_t without)
{
	for (size_t i = 0; i < t->asked; i++) {
		bool out = false;

		for (size_t k = 0; k < n && !out; k++)
			out = k != without && bit(&t->broken[chosen[k] * t->words], i);
		if (!out)
			return false;
	}
	return true;
}

/* ---- choosing ---- */

/* Of two that keep out equally much: data says more than locks, then what is nearer the failure. */
static bool is_better(const struct table *t, size_t a, size_t b)
{
	const struct explain_exec *f = &t->s->failing->exec;
	const struct explain_conflict *x = &t->orders->items[a], *y = &t->orders->items[b];
	bool memory = !explain_syncs(explain_event(f, x->first));

	if (memory != !explain_syncs(explain_event(f, y->first)))
		return memory;
	return x->second != y->second ? x->second > y->second : x->first > y->first;
}

/* Of those that break executions which none of the chosen breaks, the one that breaks most. */
static bool choose_next(const struct table *t, uint32_t *chosen, size_t n)
{
	uint64_t *left = xcalloc(t->words, sizeof(*left));
	size_t best = SIZE_MAX;
	unsigned most = 0;

	for (size_t i = 0; i < t->asked; i++) {
		bool open = true;

		for (size_t k = 0; k < n && open; k++)
			open = !bit(&t->broken[chosen[k] * t->words], i);
		left[i / 64] |= (uint64_t)open << (i % 64);
	}
	for (size_t i = 0; i < t->orders->count; i++) {
		unsigned now = 0;

		for (size_t w = 0; w < t->words; w++)
			now += (unsigned)__builtin_popcountll(t->broken[i * t->words + w] &
							      left[w]);
		if (now > most || (now > 0 && now == most && is_better(t, i, best))) {
			most = now;
			best = i;
		}
	}
	free(left);
	if (best != SIZE_MAX)
		chosen[n] = (uint32_t)best;
	return best != SIZE_MAX;
}

/* One when one is enough, else as many as it takes, and then without those it can do without. */
static size_t choose(const struct table *t, uint32_t *chosen)
{
	size_t n = 0;

	while (n < MAX_CORE && !keeps_all_out(t, chosen, n, SIZE_MAX))
		if (!choose_next(t, chosen, n++))
			return 0;
	if (!keeps_all_out(t, chosen, n, SIZE_MAX))
		return 0;
	for (size_t i = n; i-- > 0;)
		if (keeps_all_out(t, chosen, n, i))
			chosen[i] = chosen[--n];
	return n;
}

static int by_number(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

void explain_core_find(const struct explain_search *s, struct explain_conflicts *orders)
{
	struct table t = {.s = s, .orders = orders};
	struct explain_conflict core[MAX_CORE];
	uint32_t chosen[MAX_CORE + 1];
	size_t n = 0;

	if (s->failing->exec.ops.count <= MAX_OPS && fill(&t))
		n = choose(&t, chosen);
	if (n > 1)
		qsort(chosen, n, sizeof(*chosen), by_number);
	for (size_t i = 0; i < n; i++)
		core[i] = orders->items[chosen[i]];
	vec_clear(orders);
	for (size_t i = 0; i < n; i++)
		vec_push(orders, core[i]);
	free(t.broken);
}

void explain_core_fill(const struct explain_search *s, struct explanation *out)
{
	const struct explain_exec *f = &s->failing->exec;

	for (int conflicts = 0; conflicts < 2 && f->ops.count <= MAX_OPS; conflicts++) {
		struct explain_conflicts orders = VEC_INIT;

		if (conflicts)
			explain_core_conflicts(f, &orders);
		else
			explain_core_chain(f, &orders);
		explain_core_find(s, &orders);
		for (size_t i = 0; i < orders.count; i++)
			vec_push(&out->core[conflicts],
				 ((struct explanation_ordering){
					 f->ops.items[orders.items[i].first].event,
					 f->ops.items[orders.items[i].second].event}));
		vec_free(&orders);
	}
}
