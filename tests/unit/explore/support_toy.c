#include "support_toy.h"

#include <assert.h>
#include <ctype.h>

static const struct {
	char letter;
	enum reduce_kind kind;
} letters[] = {
	{'L', REDUCE_LOCK},	 {'U', REDUCE_UNLOCK},	     {'T', REDUCE_TRYLOCK},
	{'R', REDUCE_READ},	 {'W', REDUCE_WRITE},	     {'P', REDUCE_SEM_WAIT},
	{'V', REDUCE_SEM_POST},	 {'C', REDUCE_COND_RELEASE}, {'N', REDUCE_SIGNAL},
	{'B', REDUCE_BROADCAST}, {'r', REDUCE_RDLOCK},	     {'w', REDUCE_WRLOCK},
	{'u', REDUCE_RWUNLOCK},	 {'A', REDUCE_ARRIVE},	     {'p', REDUCE_SEM_TRYWAIT},
	{'X', REDUCE_EXIT},
};

static void add(struct toy *p, uint32_t t, struct toy_step s)
{
	assert(p->count[t] < TOY_OPS);
	p->steps[t][p->count[t]++] = s;
}

void toy_parse(struct toy *p, const char *const *threads, uint32_t n)
{
	*p = (struct toy){.threads = n, .barrier = n};
	for (uint32_t t = 0; t < n; t++) {
		for (const char *c = threads[t]; *c; c++) {
			struct toy_step s = {.skip = 0};

			if (isspace((unsigned char)*c))
				continue;
			for (size_t i = 0; i < sizeof(letters) / sizeof(letters[0]); i++)
				if (letters[i].letter == *c)
					s.kind = letters[i].kind;
			s.object = (uint32_t)(*++c - '0');
			/* Locks for readers and writers are no mutexes. */
			if (s.kind == REDUCE_RDLOCK || s.kind == REDUCE_WRLOCK ||
			    s.kind == REDUCE_RWUNLOCK)
				s.object += 4;
			if (s.kind == REDUCE_COND_RELEASE)
				s.second = (uint32_t)(*++c - '0');
			/* A digit behind a colon: how much a failure skips. */
			if (c[1] == ':') {
				s.skip = (uint32_t)(c[2] - '0');
				c += 2;
			}
			add(p, t, s);
			if (s.kind == REDUCE_COND_RELEASE)
				s.kind = REDUCE_COND_WAKE, add(p, t, s);
			if (s.kind == REDUCE_ARRIVE)
				s.kind = REDUCE_LEAVE, add(p, t, s);
		}
	}
}

void toy_start(const struct toy *p, struct toy_state *s)
{
	memset(s, 0, sizeof(*s));
	memcpy(s->sem, p->sem, sizeof(s->sem));
}

static const struct toy_step *step_of(const struct toy *p, const struct toy_state *s, uint32_t t)
{
	return s->pc[t] < p->count[t] ? &p->steps[t][s->pc[t]] : NULL;
}

/* Kinds of objects have names of their own. */
static uint64_t name_of(enum reduce_kind kind, uint32_t object)
{
	static const char classes[REDUCE_KINDS] = {
		[REDUCE_READ] = 1,     [REDUCE_WRITE] = 1,	 [REDUCE_SEM_WAIT] = 2,
		[REDUCE_SEM_POST] = 2, [REDUCE_COND_WAKE] = 3,	 [REDUCE_COND_RELEASE] = 3,
		[REDUCE_SIGNAL] = 3,   [REDUCE_BROADCAST] = 3,	 [REDUCE_RDLOCK] = 4,
		[REDUCE_WRLOCK] = 4,   [REDUCE_RWUNLOCK] = 4,	 [REDUCE_ARRIVE] = 5,
		[REDUCE_LEAVE] = 5,    [REDUCE_SEM_TRYWAIT] = 2,
	};

	return object ? object + 100 * (uint64_t)classes[kind] : 0;
}

bool toy_next(const struct toy *p, const struct toy_state *s, uint32_t t, struct reduce_op *op)
{
	const struct toy_step *step = step_of(p, s, t);

	if (!step)
		return false;
	*op = (struct reduce_op){.thread = t,
				 .kind = (uint16_t)step->kind,
				 .object = name_of(step->kind, step->object),
				 .second = step->second, /* a mutex */
				 .arg = s->pc[t]};
	return true;
}

bool toy_enabled(const struct toy *p, const struct toy_state *s, uint32_t t)
{
	const struct toy_step *step = step_of(p, s, t);

	switch (step->kind) {
	case REDUCE_LOCK:
		return !s->owner[step->object];
	case REDUCE_COND_WAKE:
		return s->woken[t] && !s->owner[step->second];
	case REDUCE_SEM_WAIT:
		return s->sem[step->object] > 0;
	case REDUCE_RDLOCK:
		return !s->owner[step->object];
	case REDUCE_WRLOCK:
		return !s->owner[step->object] && !s->readers[step->object];
	case REDUCE_LEAVE:
		return s->woken[t];
	default:
		return true;
	}
}

static void wake_one(struct toy_state *s, uint32_t object)
{
	if (!s->waiting[object])
		return;
	s->woken[s->queue[object][0]] = true;
	memmove(s->queue[object], s->queue[object] + 1, (TOY_THREADS - 1) * sizeof(uint32_t));
	s->waiting[object]--;
}

void toy_do(const struct toy *p, struct toy_state *s, uint32_t t)
{
	const struct toy_step *step = step_of(p, s, t);
	uint32_t o = step->object;

	s->pc[t]++;
	switch (step->kind) {
	case REDUCE_TRYLOCK:
		if (s->owner[o])
			s->pc[t] += step->skip;
		else
			s->owner[o] = t + 1;
		break;
	case REDUCE_LOCK:
	case REDUCE_WRLOCK:
		s->owner[o] = t + 1;
		break;
	case REDUCE_UNLOCK:
		s->owner[o] = 0;
		break;
	case REDUCE_RDLOCK:
		s->readers[o]++;
		break;
	case REDUCE_RWUNLOCK:
		if (s->owner[o] == t + 1)
			s->owner[o] = 0;
		else
			s->readers[o]--;
		break;
	case REDUCE_READ:
		if (!s->value[o])
			s->pc[t] += step->skip;
		break;
	case REDUCE_WRITE:
		s->value[o] = t + 1;
		break;
	case REDUCE_SEM_TRYWAIT:
		if (!s->sem[o])
			s->pc[t] += step->skip;
		else
			s->sem[o]--;
		break;
	case REDUCE_SEM_WAIT:
		s->sem[o]--;
		break;
	case REDUCE_SEM_POST:
		s->sem[o]++;
		break;
	case REDUCE_COND_RELEASE:
		s->owner[step->second] = 0;
		s->woken[t] = false;
		s->queue[o][s->waiting[o]++] = t;
		break;
	case REDUCE_COND_WAKE:
		s->owner[step->second] = t + 1;
		break;
	case REDUCE_SIGNAL:
		wake_one(s, o);
		break;
	case REDUCE_BROADCAST:
		while (s->waiting[o])
			wake_one(s, o);
		break;
	case REDUCE_ARRIVE:
		s->woken[t] = false;
		s->queue[o][s->waiting[o]++] = t;
		if (++s->arrived[o] == p->barrier) {
			s->arrived[o] = 0;
			while (s->waiting[o])
				wake_one(s, o);
		}
		break;
	case REDUCE_EXIT:
		for (uint32_t u = 0; u < p->threads; u++)
			s->pc[u] = TOY_OPS;
		break;
	default:
		break;
	}
}

/* ---- classes ---- */

static void note(struct toy_classes *c, const struct reduce_op *ops, size_t n, bool stuck)
{
	uint64_t keys[TOY_THREADS * TOY_OPS], sum = 0;

	for (size_t i = 0; i < n; i++) {
		uint64_t k = (uint64_t)(ops[i].thread + 1) << 32 | ops[i].arg;

		for (size_t j = 0; j < i; j++)
			if (ops[i].thread == ops[j].thread || reduce_dependent(&ops[j], &ops[i]))
				k += keys[j] * UINT64_C(0x9e3779b97f4a7c15);
		k = (k ^ k >> 31) * UINT64_C(0xbf58476d1ce4e5b9);
		keys[i] = k ^ k >> 29;
		sum += keys[i];
	}
	c->runs++;
	for (size_t i = 0; i < c->count; i++)
		if (c->keys[i] == sum)
			return;
	if (c->count == c->capacity) {
		c->capacity = c->capacity ? 2 * c->capacity : 64;
		c->keys = xrealloc(c->keys, c->capacity, sizeof(*c->keys));
		c->stuck = xrealloc(c->stuck, c->capacity, sizeof(*c->stuck));
	}
	c->keys[c->count] = sum;
	c->stuck[c->count++] = stuck;
}

size_t toy_stuck(const struct toy_classes *c)
{
	size_t n = 0;

	for (size_t i = 0; i < c->count; i++)
		n += c->stuck[i];
	return n;
}

void toy_classes_fini(struct toy_classes *c)
{
	free(c->keys);
	free(c->stuck);
}

struct all {
	const struct toy *p;
	struct toy_classes *c;
	struct reduce_op ops[TOY_THREADS * TOY_OPS];
};

/* Independent operations lead to one state in both orders, and neither prevents the other. */
static bool commute(const struct toy *p, const struct toy_state *s, uint32_t a, uint32_t b)
{
	struct toy_state ab = *s, ba = *s;

	toy_do(p, &ab, a);
	if (!toy_next(p, &ab, b, &(struct reduce_op){0}) || !toy_enabled(p, &ab, b))
		return false;
	toy_do(p, &ab, b);
	toy_do(p, &ba, b);
	if (!toy_next(p, &ba, a, &(struct reduce_op){0}) || !toy_enabled(p, &ba, a))
		return false;
	toy_do(p, &ba, a);
	return memcmp(&ab, &ba, sizeof(ab)) == 0;
}

static void check_pairs(struct all *all, const struct toy_state *s)
{
	struct reduce_op a, b;

	for (uint32_t t = 0; t < all->p->threads; t++)
		for (uint32_t u = t + 1; u < all->p->threads; u++)
			if (toy_next(all->p, s, t, &a) && toy_next(all->p, s, u, &b) &&
			    toy_enabled(all->p, s, t) && toy_enabled(all->p, s, u) &&
			    !reduce_dependent(&a, &b))
				all->c->wrong |= !commute(all->p, s, t, u);
}

static void enumerate(struct all *all, const struct toy_state *s, size_t depth)
{
	bool any = false, left = false;

	if (all->c->most_runs && all->c->runs >= all->c->most_runs)
		all->c->over = true;
	if (all->c->over)
		return;
	check_pairs(all, s);
	for (uint32_t t = 0; t < all->p->threads; t++) {
		struct toy_state after = *s;

		if (!toy_next(all->p, s, t, &all->ops[depth]))
			continue;
		left = true;
		if (!toy_enabled(all->p, s, t))
			continue;
		any = true;
		toy_do(all->p, &after, t);
		enumerate(all, &after, depth + 1);
	}
	if (!any)
		note(all->c, all->ops, depth, left);
}

void toy_enumerate(const struct toy *p, struct toy_classes *c)
{
	struct all all = {.p = p, .c = c};
	struct toy_state s;

	toy_start(p, &s);
	enumerate(&all, &s, 0);
}

static enum reduce_answer run(const struct toy *p, struct reduce *r, struct toy_classes *c)
{
	struct reduce_op ops[TOY_THREADS * TOY_OPS];
	struct toy_state s;

	toy_start(p, &s);
	reduce_begin(r);
	for (size_t depth = 0;; depth++) {
		struct reduce_offer offers[TOY_THREADS];
		enum reduce_answer answer;
		uint32_t thread;
		size_t n = 0;

		for (uint32_t t = 0; t < p->threads; t++) {
			if (!toy_next(p, &s, t, &offers[n].op))
				continue;
			offers[n++].enabled = toy_enabled(p, &s, t);
		}
		answer = reduce_next(r, offers, n, REDUCE_ANY, &thread);
		if (answer == REDUCE_LEAF)
			note(c, ops, depth, n > 0);
		if (answer != REDUCE_PERFORM)
			return answer;
		assert(toy_enabled(p, &s, thread));
		toy_next(p, &s, thread, &ops[depth]);
		toy_do(p, &s, thread);
	}
}

void toy_explore(const struct toy *p, bool whole, struct toy_classes *c, size_t *redundant)
{
	struct reduce r = {.whole = whole};

	*redundant = 0;
	do {
		enum reduce_answer answer = run(p, &r, c);

		assert(answer == REDUCE_LEAF || answer == REDUCE_REDUNDANT);
		*redundant += answer == REDUCE_REDUNDANT;
	} while (reduce_backtrack(&r));
	reduce_fini(&r);
}
