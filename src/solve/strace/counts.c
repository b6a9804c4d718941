/* The sizes of the published encodings, without writing them down. */
#include "solve/strace/solve.h"

static const struct strace_event *event_of(const struct strace *t, uint32_t part)
{
	return &t->events.items[t->parts.items[part].event];
}

/* Core, or thread when that is not known, of the event of a part. */
static int64_t line_of(const struct strace *t, uint32_t part, bool cores)
{
	const struct strace_event *e = event_of(t, part);

	return cores && e->core >= 0 ? (int64_t)e->core : -1 - (int64_t)e->thread;
}

struct lines {
	VEC_FIELDS(struct line);
};

struct line {
	int64_t name;
	uint64_t count;
};

static struct line *find_line(struct lines *l, int64_t name)
{
	for (size_t i = 0; i < l->count; i++)
		if (l->items[i].name == name)
			return &l->items[i];
	vec_push(l, ((struct line){name, 0}));
	return &vec_last(l);
}

static void count_lines(const struct strace *t, uint32_t read, bool cores, struct lines *out)
{
	const struct strace_part *r = &t->parts.items[t->read_part.items[read]];
	const struct strace_list *all = &t->writers.items[r->cell];

	for (size_t i = 0; i < all->count; i++)
		if (t->parts.items[all->items[i]].event != r->event)
			find_line(out, line_of(t, all->items[i], cores))->count++;
}

/* One clause for the pair itself, and one per write, or per other core plus one for the own. */
static uint64_t count_read(const struct strace_facts *f, uint32_t read, bool by_core)
{
	const struct strace *t = f->t;
	struct strace_list candidates = {NULL, 0, 0};
	struct lines lines = {NULL, 0, 0};
	uint64_t sum = 0, writes = 0;

	strace_encode_candidates(f, wire_model_buffers(f->o.model), read, &candidates);
	count_lines(t, read, f->o.cores, &lines);
	for (size_t i = 0; i < lines.count; i++)
		writes += lines.items[i].count;
	for (size_t i = 0; i < candidates.count; i++) {
		bool first = candidates.items[i] == STRACE_NONE;

		if (by_core)
			sum += lines.count + !first;
		else
			sum += writes;
	}
	vec_free(&candidates);
	vec_free(&lines);
	return sum;
}

struct taken {
	uint64_t mutex;
	uint32_t thread;
};

static int by_mutex(const void *a, const void *b)
{
	const struct taken *x = a, *y = b;

	if (x->mutex != y->mutex)
		return x->mutex < y->mutex ? -1 : 1;
	return x->thread < y->thread ? -1 : x->thread > y->thread;
}

/* Pairs of sections of one lock in different threads. */
static uint64_t count_pairs(const struct strace *t)
{
	VEC(struct taken) all = VEC_INIT;
	uint64_t mutex, pairs = 0;

	for (size_t i = 0; i < t->events.count; i++)
		if (strace_event_takes(&t->events.items[i], &mutex))
			vec_push(&all, ((struct taken){mutex, t->events.items[i].thread}));
	if (all.count)
		qsort(all.items, all.count, sizeof(all.items[0]), by_mutex);
	for (size_t i = 0, lock = 0, thread = 0; i < all.count; i++) {
		if (all.items[i].mutex != all.items[lock].mutex)
			lock = thread = i;
		if (all.items[i].thread != all.items[thread].thread)
			thread = i;
		pairs += thread - lock;
	}
	vec_free(&all);
	return pairs;
}

/* Sections, every step of the other objects, beginnings and ends of threads. */
static uint64_t count_sync(const struct strace *t, uint64_t life)
{
	uint64_t sum = life + count_pairs(t);

	for (size_t i = 0; i < t->events.count; i++)
		sum += t->events.items[i].op > STRACE_RWUNLOCK;
	return sum;
}

struct strace_counts strace_count(const struct strace *t, const struct strace_solve_opts *o)
{
	struct strace_facts_opts fo = {o->model, !o->no_cores, !o->no_cores};
	struct strace_counts c = {.vars = t->events.count};
	struct strace_facts facts;

	strace_facts_init(&facts, t, &fo);
	for (uint32_t r = 0; r < t->reads && !facts.contradiction; r++)
		c.rw += count_read(&facts, r, o->by_core);
	c.path = t->conditions.count;
	c.order = facts.order + facts.core;
	c.sync = count_sync(t, facts.life);
	c.total = c.rw + c.path + c.sync + c.order;
	strace_facts_fini(&facts);
	return c;
}

static uint64_t times(uint64_t a, uint64_t b)
{
	uint64_t product;

	return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

struct strace_choices strace_choices(const struct strace *t, uint32_t read, uint32_t part)
{
	struct strace_choices c = {1, 1, 1};
	struct lines lines = {NULL, 0, 0};
	int64_t own = line_of(t, part, true);

	count_lines(t, read, true, &lines);
	for (size_t i = 0; i < lines.count; i++) {
		uint64_t m = lines.items[i].count;

		for (uint64_t k = 0; k < m; k++)
			c.plain = times(c.plain, 2);
		c.by_core = times(c.by_core, m + 1);
		if (lines.items[i].name != own)
			c.exact = times(c.exact, m + 1);
	}
	vec_free(&lines);
	return c;
}
