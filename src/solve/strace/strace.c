#include "solve/strace/strace.h"

#include <assert.h>
#include <inttypes.h>

void strace_init(struct strace *t)
{
	*t = (struct strace){.until = STRACE_NONE};
}

static void free_lists(struct strace_list *lists, size_t n)
{
	for (size_t i = 0; i < n; i++)
		vec_free(&lists[i]);
}

void strace_fini(struct strace *t)
{
	free_lists(t->program.items, t->program.count);
	free_lists(t->writers.items, t->writers.count);
	vec_free(&t->events);
	vec_free(&t->parts);
	vec_free(&t->cells);
	vec_free(&t->conditions);
	vec_free(&t->stuck);
	vec_free(&t->read_part);
	vec_free(&t->program);
	vec_free(&t->writers);
	vec_free(&t->release);
}

uint32_t strace_add_cell(struct strace *t, uint64_t value)
{
	assert(!t->sealed);
	vec_push(&t->cells, value);
	return (uint32_t)t->cells.count - 1;
}

uint32_t strace_add_event(struct strace *t, uint32_t thread, enum strace_op op, uint64_t object)
{
	struct strace_event e = {.thread = thread,
				 .op = (uint8_t)op,
				 .first = (uint32_t)t->parts.count,
				 .object = object,
				 .core = -1,
				 .segment = STRACE_NONE,
				 .site = STRACE_NONE};

	assert(!t->sealed && op < STRACE_OPS);
	vec_push(&t->events, e);
	return (uint32_t)t->events.count - 1;
}

void strace_add_part(struct strace *t, uint32_t cell, uint32_t read, uint32_t value)
{
	struct strace_part p = {cell, read, value, (uint32_t)t->events.count - 1, STRACE_NONE};

	assert(t->events.count && cell < t->cells.count);
	assert(read != STRACE_NONE || value != STRACE_NONE);
	vec_push(&t->parts, p);
	vec_last(&t->events).count++;
	if (read != STRACE_NONE && read >= t->reads)
		t->reads = read + 1;
}

void strace_add_condition(struct strace *t, uint32_t expr, enum strace_why why)
{
	struct strace_condition c = {expr, (uint8_t)why, STRACE_NONE, STRACE_NONE, STRACE_NONE};

	assert(why <= STRACE_BUG);
	vec_push(&t->conditions, c);
}

bool strace_condition_counts(const struct strace *t, const struct strace_condition *c,
			     const uint32_t *rank)
{
	assert(t->sealed && (t->until == STRACE_NONE || t->until < t->events.count));
	if (t->until == STRACE_NONE || c->thread == t->events.items[t->until].thread)
		return true;
	return c->next != STRACE_NONE && rank[c->next] < rank[t->until];
}

bool strace_event_drains(const struct strace_event *e)
{
	return e->op != STRACE_READ && (e->op != STRACE_WRITE || (e->flags & STRACE_THROUGH));
}

bool strace_event_takes(const struct strace_event *e, uint64_t *mutex)
{
	*mutex = e->op == STRACE_WAKE ? e->other : e->object;
	/* A wait that expired has the mutex again all the same. */
	return e->op == STRACE_WAKE ||
	       ((e->op == STRACE_LOCK || e->op == STRACE_RDLOCK || e->op == STRACE_WRLOCK) &&
		!(e->flags & STRACE_FAILED));
}

bool strace_event_gives(const struct strace_event *e, uint64_t *mutex)
{
	*mutex = e->op == STRACE_WAIT ? e->other : e->object;
	return e->op == STRACE_UNLOCK || e->op == STRACE_RWUNLOCK || e->op == STRACE_WAIT;
}

static int index_parts(struct strace *t, struct err *e)
{
	vec_reserve(&t->read_part, t->reads);
	for (uint32_t r = 0; r < t->reads; r++)
		vec_push(&t->read_part, STRACE_NONE);
	for (size_t i = 0; i < t->cells.count; i++)
		vec_push(&t->writers, ((struct strace_list){NULL, 0, 0}));
	for (uint32_t i = 0; i < t->parts.count; i++) {
		const struct strace_part *p = &t->parts.items[i];

		if (p->value != STRACE_NONE)
			vec_push(&t->writers.items[p->cell], i);
		if (p->read == STRACE_NONE)
			continue;
		if (t->read_part.items[p->read] != STRACE_NONE)
			return err_set(e, ERR_FORMAT, "read %" PRIu32 " happens twice", p->read);
		t->read_part.items[p->read] = i;
	}
	for (uint32_t r = 0; r < t->reads; r++)
		if (t->read_part.items[r] == STRACE_NONE)
			return err_set(e, ERR_FORMAT, "read %" PRIu32 " never happens", r);
	return 0;
}

static void index_threads(struct strace *t)
{
	for (size_t i = 0; i < t->events.count; i++) {
		const struct strace_event *e = &t->events.items[i];

		if (e->thread >= t->threads)
			t->threads = e->thread + 1;
		t->has_cores |= e->core >= 0;
		t->has_segments |= e->segment != STRACE_NONE;
	}
	for (size_t i = 0; i < t->stuck.count; i++)
		if (t->stuck.items[i].thread >= t->threads)
			t->threads = t->stuck.items[i].thread + 1;
	for (uint32_t i = 0; i < t->threads; i++)
		vec_push(&t->program, ((struct strace_list){NULL, 0, 0}));
	for (uint32_t i = 0; i < t->events.count; i++)
		vec_push(&t->program.items[t->events.items[i].thread], i);
}

/* For every part the newest older one of its thread that writes the same cell. */
static void find_own(struct strace *t)
{
	uint32_t *last = xcalloc(t->cells.count + 1, sizeof(*last));

	for (uint32_t thread = 0; thread < t->threads; thread++) {
		const struct strace_list *p = &t->program.items[thread];

		memset(last, 0xff, t->cells.count * sizeof(*last));
		for (size_t i = 0; i < p->count; i++) {
			const struct strace_event *e = &t->events.items[p->items[i]];

			for (uint32_t k = e->first; k < e->first + e->count; k++) {
				t->parts.items[k].own = last[t->parts.items[k].cell];
				if (t->parts.items[k].value != STRACE_NONE)
					last[t->parts.items[k].cell] = k;
			}
		}
	}
	free(last);
}

struct held {
	uint64_t mutex;
	uint32_t event, depth;
};

struct holds {
	VEC_FIELDS(struct held);
};

static struct held *find_held(struct holds *h, uint64_t mutex)
{
	for (size_t i = 0; i < h->count; i++)
		if (h->items[i].mutex == mutex)
			return &h->items[i];
	return NULL;
}

static int match_section(struct strace *t, struct holds *h, uint32_t event, struct err *e)
{
	const struct strace_event *ev = &t->events.items[event];
	struct held *held;
	uint64_t mutex;

	if (strace_event_takes(ev, &mutex)) {
		held = find_held(h, mutex);
		if (held)
			held->depth++;
		else
			vec_push(h, ((struct held){mutex, event, 1}));
	} else if (strace_event_gives(ev, &mutex)) {
		held = find_held(h, mutex);
		if (!held)
			return err_set(e, ERR_FORMAT,
				       "thread %" PRIu32 " gives up a lock that it does not have",
				       ev->thread);
		/* A wait gives it up however often it was taken. */
		if (--held->depth && ev->op != STRACE_WAIT)
			return 0;
		t->release.items[held->event] = event;
		*held = vec_last(h);
		h->count--;
	}
	return 0;
}

static int match_sections(struct strace *t, struct err *e)
{
	int rc = 0;

	for (size_t i = 0; i < t->events.count; i++)
		vec_push(&t->release, STRACE_NONE);
	for (uint32_t thread = 0; thread < t->threads && rc == 0; thread++) {
		const struct strace_list *p = &t->program.items[thread];
		struct holds h = {NULL, 0, 0};

		for (size_t i = 0; i < p->count && rc == 0; i++)
			rc = match_section(t, &h, p->items[i], e);
		vec_free(&h);
	}
	return rc;
}

int strace_seal(struct strace *t, struct err *e)
{
	int rc;

	assert(!t->sealed);
	t->sealed = true;
	index_threads(t);
	rc = index_parts(t, e);
	if (rc == 0)
		rc = match_sections(t, e);
	if (rc == 0)
		find_own(t);
	return rc;
}
