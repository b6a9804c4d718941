#include "explain/exec.h"

#include <assert.h>

#include "explain/memory.h"
#include "model/event.h"
#include "wire/fds.h"

/* Longer ranges are looked at as far as this. */
#define RANGE_MAX (UINT64_C(1) << 16)
/* Distinguishes a store that reaches memory from the one that enters the buffer. */
#define KEY_COMMIT (UINT64_C(1) << 63)

uint64_t explain_bytes(const struct wire_event *v)
{
	uint64_t n = 0;

	if (v->kind == EVENT_READ_RANGE || v->kind == EVENT_WRITE_RANGE || v->kind == EVENT_FREE ||
	    v->kind == EVENT_ALLOC)
		n = v->value;
	else if (explain_reads(v) || explain_writes(v))
		n = v->size;
	return n < RANGE_MAX ? n : RANGE_MAX;
}

bool explain_reads(const struct wire_event *v)
{
	return model_event_reads(v->kind);
}

bool explain_writes(const struct wire_event *v)
{
	return model_event_writes(v->kind) || v->kind == EVENT_FREE || v->kind == EVENT_ALLOC;
}

/* What goes through a descriptor goes in the order of the calls. */
static bool moves_bytes(const struct wire_event *v)
{
	return v->aux == FDS_DO_GET || v->aux == FDS_DO_PUT || v->aux == FDS_DO_CLOSE ||
	       v->aux == FDS_DO_SHUTDOWN;
}

bool explain_syncs(const struct wire_event *v)
{
	return model_event_class(v->kind) == EVENT_CLASS_SYNC && v->kind != EVENT_OBJ_INIT &&
	       (v->kind != EVENT_FD || moves_bytes(v));
}

uint64_t explain_object(const struct wire_event *v)
{
	/* The upper half of .addr is the result.  No object of a program lies so high. */
	return v->kind == EVENT_FD ? UINT64_C(1) << 62 | (uint32_t)v->addr : v->addr;
}

bool explain_takes(const struct wire_event *v)
{
	switch (v->kind) {
	case EVENT_LOCK:
	case EVENT_RDLOCK:
	case EVENT_WRLOCK:
	case EVENT_SPIN_LOCK:
		return true;
	case EVENT_TRYLOCK:
	case EVENT_TRYRDLOCK:
	case EVENT_TRYWRLOCK:
	case EVENT_SPIN_TRYLOCK:
		return v->value == 0;
	default:
		return false;
	}
}

bool explain_gives(const struct wire_event *v)
{
	return v->kind == EVENT_UNLOCK || v->kind == EVENT_RWUNLOCK || v->kind == EVENT_SPIN_UNLOCK;
}

static bool is_marker(const struct wire_event *v)
{
	switch (v->kind) {
	case EVENT_BRANCH:
	case EVENT_ENTER:
	case EVENT_LEAVE:
	case EVENT_INTO:
	case EVENT_CALL:
	case EVENT_NOTE:
	case EVENT_FAILURE:
	case EVENT_DRAIN:
	case EVENT_DATA:
	case EVENT_PENDING:
	case EVENT_WEAK:
	case EVENT_STACK:
	case EVENT_OUTSIDE:
	case EVENT_NONE:
		return true;
	default:
		return false;
	}
}

/* ---- threads ---- */

static uint32_t find_child(const struct explain_exec *failing, uint32_t parent, uint32_t index)
{
	for (size_t i = 1; i < failing->run.threads.count; i++) {
		const struct wire_thread *t = &failing->run.threads.items[i];

		if (t->parent == parent && t->child_index == index)
			return (uint32_t)i;
	}
	return EXPLAIN_NONE;
}

static void name_threads(struct explain_exec *x, const struct explain_exec *failing)
{
	uint32_t fresh = failing ? (uint32_t)failing->run.threads.count : 0;

	for (uint32_t i = 0; i < x->run.threads.count; i++) {
		const struct wire_thread *t = &x->run.threads.items[i];
		uint32_t name = i;

		if (failing && i > 0) {
			name = t->parent < i ? find_child(failing, x->thread.items[t->parent],
							  t->child_index)
					     : EXPLAIN_NONE;
			if (name == EXPLAIN_NONE)
				name = fresh++;
		}
		vec_push(&x->thread, name);
	}
}

/* ---- operations ---- */

static bool same_key(const void *items, uint32_t number, const void *key)
{
	const struct explain_op *ops = items;

	return ops[number].key == *(const uint64_t *)key;
}

uint32_t explain_exec_find(const struct explain_exec *x, uint64_t key)
{
	uint32_t at = lookup_find(&x->by_key, lookup_mix(1, key), same_key, x->ops.items, &key);

	return at == LOOKUP_NONE ? EXPLAIN_NONE : at;
}

bool explain_is_commit(const struct explain_exec *x, uint32_t op)
{
	return (x->ops.items[op].key & KEY_COMMIT) != 0;
}

static void add_ops(struct explain_exec *x)
{
	for (uint32_t i = 0; i < x->run.events.count; i++) {
		const struct wire_event *v = &x->run.events.items[i];
		struct explain_op op = {.event = i, .source = EXPLAIN_NONE};

		if (is_marker(v) || v->tid >= x->thread.count)
			continue;
		op.thread = x->thread.items[v->tid];
		op.key = (uint64_t)op.thread << 32 | v->tix;
		if (v->kind == EVENT_WRITE && explain_exec_find(x, op.key) != EXPLAIN_NONE)
			op.key |= KEY_COMMIT;
		/* One key twice would be an event of a kind that shares its place: the first
		 * counts. */
		if (explain_exec_find(x, op.key) != EXPLAIN_NONE)
			continue;
		lookup_add(&x->by_key, lookup_mix(1, op.key), (uint32_t)x->ops.count);
		vec_push(&x->ops, op);
	}
}

/* ---- sources ---- */

static void read_memory(struct explain_exec *x, struct explain_memory *m, uint32_t op)
{
	const struct wire_event *v = explain_event(x, op);
	uint64_t n = explain_bytes(v), origin = 0;
	uint32_t newest = EXPLAIN_NONE;

	for (uint64_t i = 0; i < n; i++) {
		uint32_t w = explain_memory_get(m, v->addr + i);

		if (w == EXPLAIN_NONE)
			continue;
		origin = lookup_mix(origin + i, x->ops.items[w].key);
		if (newest == EXPLAIN_NONE || w > newest)
			newest = w;
	}
	x->ops.items[op].source = newest;
	x->ops.items[op].origin = origin;
}

static void write_memory(struct explain_exec *x, struct explain_memory *m, uint32_t op)
{
	const struct wire_event *v = explain_event(x, op);
	uint64_t n = explain_bytes(v);

	for (uint64_t i = 0; i < n; i++)
		explain_memory_set(m, v->addr + i, op);
}

/* Under TSO and PSO a thread sees its own stores before they are in memory. */
static void see_own(struct explain_exec *x, uint32_t op, const struct explain_memory *own)
{
	const struct wire_event *v = explain_event(x, op);
	struct explain_op *o = &x->ops.items[op];
	uint32_t w = explain_memory_get(own, v->addr);

	if (w == EXPLAIN_NONE || x->ops.items[w].thread != o->thread)
		return;
	if (o->source != EXPLAIN_NONE && o->source > w)
		return;
	o->source = w;
	o->origin = lookup_mix(0, x->ops.items[w].key);
}

/* The newest signal of the thread that woke this one. */
static uint32_t find_signal(const struct explain_exec *x, uint32_t wake)
{
	const struct wire_event *v = explain_event(x, wake);

	for (uint32_t i = wake; i-- > 0;) {
		const struct wire_event *s = explain_event(x, i);

		if (s->addr == v->addr && s->tid == v->aux &&
		    (s->kind == EVENT_COND_SIGNAL || s->kind == EVENT_COND_BROADCAST))
			return i;
		if (s->kind == EVENT_COND_WAIT && s->tid == v->tid && s->addr == v->addr)
			break;
	}
	return EXPLAIN_NONE;
}

static void synchronise(struct explain_exec *x, struct explain_memory *objects, uint32_t op)
{
	const struct wire_event *v = explain_event(x, op);
	struct explain_op *o = &x->ops.items[op];

	if (v->kind == EVENT_COND_WAKE)
		o->source = find_signal(x, op);
	else if (explain_takes(v) || v->kind == EVENT_SEM_WAIT || v->kind == EVENT_FD)
		o->source = explain_memory_get(objects, explain_object(v));
	if (o->source != EXPLAIN_NONE)
		o->origin = lookup_mix(0, x->ops.items[o->source].key);
	/* Of a signal it matters whether somebody sleeps. */
	if (v->kind == EVENT_COND_SIGNAL || v->kind == EVENT_COND_BROADCAST)
		o->origin = v->aux;
	if (explain_gives(v) || v->kind == EVENT_SEM_POST || v->kind == EVENT_FD)
		explain_memory_set(objects, explain_object(v), op);
	/* A wait gives its mutex up. */
	if (v->kind == EVENT_COND_WAIT)
		explain_memory_set(objects, v->value, op);
}

static void find_sources(struct explain_exec *x)
{
	struct explain_memory memory = {.cells = VEC_INIT}, own = {.cells = VEC_INIT},
			      objects = {.cells = VEC_INIT};

	for (uint32_t i = 0; i < x->ops.count; i++) {
		const struct wire_event *v = explain_event(x, i);

		if (explain_reads(v) || v->kind == EVENT_FREE)
			read_memory(x, &memory, i);
		if (explain_reads(v))
			see_own(x, i, &own);
		if (explain_writes(v))
			write_memory(x, &memory, i);
		if (v->kind == EVENT_ISSUE)
			explain_memory_set(&own, v->addr, i);
		if (explain_syncs(v))
			synchronise(x, &objects, i);
		assert(x->ops.items[i].source == EXPLAIN_NONE || x->ops.items[i].source < i);
	}
	explain_memory_fini(&memory);
	explain_memory_fini(&own);
	explain_memory_fini(&objects);
}

void explain_exec_init(struct explain_exec *x, struct run_result *r,
		       const struct explain_exec *failing)
{
	*x = (struct explain_exec){.run = *r};
	*r = (struct run_result)RUN_RESULT_INIT;
	name_threads(x, failing);
	add_ops(x);
	find_sources(x);
}

void explain_exec_fini(struct explain_exec *x)
{
	run_result_free(&x->run);
	vec_free(&x->ops);
	vec_free(&x->thread);
	lookup_fini(&x->by_key);
	*x = (struct explain_exec){.run = RUN_RESULT_INIT};
}
