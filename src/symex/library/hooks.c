/* What instrumented code calls: accesses, markers; hooks_atomic.c has the rest. */
#include <assert.h>
#include <string.h>

#include "symex/library/library.h"
#include "symex/library/outside.h"
#include "wire/ctl.h"
#include "wire/hooks.h"
#include "wire/quiet.h"

#define SMALL 64 /* bytes of a copy with a scheduling point in the middle */

bool library_usable(struct machine *m, struct library_call *k, uint64_t addr, uint64_t bytes,
		    bool write)
{
	if (k->site != SYMEX_NONE)
		k->t->last_site = k->site;
	return machine_check(m, k->t, addr, bytes, k->site, write);
}

/* Before control begins (constructors) accesses are plain. */
static enum library_result plain_load(struct machine *m, struct library_call *k, uint64_t addr,
				      uint32_t bytes)
{
	if (!library_usable(m, k, addr, bytes, false))
		return LIBRARY_END;
	(void)mem_load(k->t->space, addr, bytes, &k->result, &k->result_expr);
	return LIBRARY_DONE;
}

static enum library_result load(struct machine *m, struct library_call *k, uint32_t bytes,
				uint32_t order)
{
	uint64_t addr = library_arg(m, k, 0);
	struct symex_event *e;

	if (!k->t->controlled)
		return plain_load(m, k, addr, bytes);
	if (!library_usable(m, k, addr, bytes, false))
		return LIBRARY_END;
	e = machine_event(m, k->t, EVENT_READ, k->site, addr, 0, order);
	e->size = (uint8_t)bytes;
	access_read(m, k->t, e, addr, bytes, &k->result, &k->result_expr);
	return LIBRARY_DONE;
}

static enum library_result store(struct machine *m, struct library_call *k, uint32_t bytes,
				 uint32_t order)
{
	uint64_t addr = library_arg(m, k, 0);
	expr_id expr = k->expr[1] ? expr_resize(m->pool, k->expr[1], bytes * 8, false) : EXPR_NONE;
	bool issue = m->buffered && order != ORDER_SEQ_CST;
	struct symex_event *e;

	if (!library_usable(m, k, addr, bytes, true))
		return LIBRARY_END;
	if (!k->t->controlled) {
		(void)mem_store(k->t->space, addr, bytes, k->arg[1], expr);
		return LIBRARY_DONE;
	}
	e = machine_event(m, k->t, issue ? EVENT_ISSUE : EVENT_WRITE, k->site, addr, 0, order);
	e->size = (uint8_t)bytes;
	access_write(m, k->t, e, addr, bytes, k->arg[1], expr);
	return LIBRARY_DONE;
}

#define PLAIN(bytes)                                                                               \
	static enum library_result load##bytes(struct machine *m, struct library_call *k)          \
	{                                                                                          \
		return load(m, k, bytes, ORDER_PLAIN);                                             \
	}                                                                                          \
	static enum library_result store##bytes(struct machine *m, struct library_call *k)         \
	{                                                                                          \
		return store(m, k, bytes, ORDER_PLAIN);                                            \
	}
PLAIN(1)
PLAIN(2)
PLAIN(4)
PLAIN(8)

static enum library_result atomic_load(struct machine *m, struct library_call *k)
{
	return load(m, k, (uint32_t)k->arg[1], (uint32_t)k->arg[2]);
}

static enum library_result atomic_store(struct machine *m, struct library_call *k)
{
	return store(m, k, (uint32_t)k->arg[2], (uint32_t)k->arg[3]);
}

/* ---- any number of bytes ---- */

static void range_event(struct machine *m, struct library_call *k, enum event_kind kind,
			uint64_t addr, uint64_t bytes, uint32_t aux)
{
	struct symex_event *e = machine_event(m, k->t, kind, k->site, addr, bytes, aux);

	if (kind == EVENT_READ_RANGE)
		access_read_range(m, k->t, e, addr, bytes);
	else
		access_write_range(m, k->t, e, addr, bytes);
}

static enum library_result load_n(struct machine *m, struct library_call *k)
{
	uint64_t copy = library_arg(m, k, 0), addr = library_arg(m, k, 1), n = library_arg(m, k, 2);

	if (!library_usable(m, k, addr, n, false))
		return LIBRARY_END;
	if (k->t->controlled)
		range_event(m, k, EVENT_READ_RANGE, addr, n, 0);
	(void)mem_move(k->t->space, copy, addr, n);
	return LIBRARY_DONE;
}

static enum library_result store_n(struct machine *m, struct library_call *k)
{
	uint64_t addr = library_arg(m, k, 0), copy = library_arg(m, k, 1), n = library_arg(m, k, 2);

	if (!library_usable(m, k, addr, n, true))
		return LIBRARY_END;
	(void)mem_move(k->t->space, addr, copy, n);
	if (k->t->controlled)
		range_event(m, k, EVENT_WRITE_RANGE, addr, n, 0);
	return LIBRARY_DONE;
}

static enum library_result move(struct machine *m, struct library_call *k)
{
	uint64_t to = library_arg(m, k, 0), from = library_arg(m, k, 1), n = library_arg(m, k, 2);

	k->result = to;
	if (n == 0)
		return LIBRARY_DONE;
	if (k->phase == 0) {
		if (!library_usable(m, k, from, n, false))
			return LIBRARY_END;
		if (!k->t->controlled) {
			if (library_usable(m, k, to, n, true))
				(void)mem_move(k->t->space, to, from, n);
			return LIBRARY_DONE;
		}
		range_event(m, k, EVENT_READ_RANGE, from, n, 0);
		if (n <= SMALL) {
			/* What was read is kept until it is written: the memory may change. */
			k->local[1] = k->t->sp;
			k->local[0] = machine_alloca(m, k->t, SMALL, 3);
			(void)mem_move(k->t->space, k->local[0], from, n);
			k->phase = 1;
			return LIBRARY_AGAIN;
		}
		k->local[0] = from;
	}
	if (!library_usable(m, k, to, n, true))
		return LIBRARY_END;
	(void)mem_move(k->t->space, to, k->local[0], n);
	if (k->phase) {
		k->t->sp = k->local[1];
		k->t->locals.count--;
	}
	range_event(m, k, EVENT_WRITE_RANGE, to, n, 0);
	return LIBRARY_DONE;
}

static enum library_result fill(struct machine *m, struct library_call *k)
{
	uint64_t to = library_arg(m, k, 0), n = library_arg(m, k, 2);

	k->result = to;
	if (n == 0)
		return LIBRARY_DONE;
	if (!library_usable(m, k, to, n, true))
		return LIBRARY_END;
	if (k->expr[1])
		for (uint64_t i = 0; i < n; i++)
			(void)mem_store(k->t->space, to + i, 1, 0,
					expr_resize(m->pool, k->expr[1], 8, false));
	else
		(void)mem_fill(k->t->space, to, (uint8_t)k->arg[1], n);
	if (k->t->controlled)
		range_event(m, k, EVENT_WRITE_RANGE, to, n, 0);
	return LIBRARY_DONE;
}

/* Atomics of any number of bytes: old and new bytes lie in the frame, either may be absent. */
static enum library_result atomic_swap_n(struct machine *m, struct library_call *k)
{
	uint64_t addr = library_arg(m, k, 0), old = library_arg(m, k, 1);
	uint64_t desired = library_arg(m, k, 2), n = library_arg(m, k, 3);
	uint32_t order = (uint32_t)library_arg(m, k, 4);

	if (n == 0)
		return LIBRARY_DONE;
	if (!library_usable(m, k, addr, n, !old))
		return LIBRARY_END;
	if (old && k->t->controlled)
		range_event(m, k, EVENT_READ_RANGE, addr, n, order);
	if (old)
		(void)mem_move(k->t->space, old, addr, n);
	if (!desired)
		return LIBRARY_DONE;
	(void)mem_move(k->t->space, addr, desired, n);
	if (k->t->controlled)
		range_event(m, k, EVENT_WRITE_RANGE, addr, n, order | (old ? EVENT_GLUED : 0));
	return LIBRARY_DONE;
}

static enum library_result atomic_cas_n(struct machine *m, struct library_call *k)
{
	uint64_t addr = library_arg(m, k, 0), expected = library_arg(m, k, 1);
	uint64_t desired = library_arg(m, k, 2), n = library_arg(m, k, 3);
	uint32_t order = (uint32_t)library_arg(m, k, 4);
	bool same = true;

	if (!library_usable(m, k, addr, n, false))
		return LIBRARY_END;
	if (k->t->controlled)
		range_event(m, k, EVENT_READ_RANGE, addr, n, order);
	for (uint64_t i = 0; same && i < n; i++)
		same = library_word(m, k, addr + i, 1) == library_word(m, k, expected + i, 1);
	(void)mem_move(k->t->space, same ? addr : expected, same ? desired : addr, n);
	if (same && k->t->controlled)
		range_event(m, k, EVENT_WRITE_RANGE, addr, n, order | EVENT_GLUED);
	return library_return(k, same);
}

/* ---- markers ---- */

static void marker(struct machine *m, struct library_call *k, enum event_kind kind, uint64_t addr,
		   uint64_t value, expr_id expr)
{
	struct symex_event *e;

	if (!k->t->controlled)
		return;
	e = machine_event(m, k->t, kind, k->site, addr, value, 0);
	e->value_expr = expr;
}

static enum library_result branch(struct machine *m, struct library_call *k)
{
	marker(m, k, EVENT_BRANCH, 0, k->arg[0], k->expr[0]);
	return LIBRARY_DONE;
}

static enum library_result enter(struct machine *m, struct library_call *k)
{
	marker(m, k, EVENT_ENTER, 0, 0, EXPR_NONE);
	return LIBRARY_DONE;
}

static enum library_result leave(struct machine *m, struct library_call *k)
{
	marker(m, k, EVENT_LEAVE, 0, 0, EXPR_NONE);
	return LIBRARY_DONE;
}

static enum library_result into(struct machine *m, struct library_call *k)
{
	marker(m, k, EVENT_INTO, 0, 0, EXPR_NONE);
	return LIBRARY_DONE;
}

static enum library_result fence(struct machine *m, struct library_call *k)
{
	if (k->t->controlled)
		machine_event(m, k->t, EVENT_FENCE, k->site, 0, 0, (uint32_t)k->arg[0]);
	return LIBRARY_DONE;
}

/* A thread that spins is parked when somebody saw it so. */
static enum library_result spin(struct machine *m, struct library_call *k)
{
	uint64_t reads;

	if (k->t->controlled && library_outcome(m, k, EVENT_SPIN_PARK, 0, &reads))
		machine_event(m, k->t, EVENT_SPIN_PARK, k->site, 0, 0, (uint32_t)reads);
	return LIBRARY_DONE;
}

/* Whether a thread is parked is said by who saw it: where its wait began is of no use here. */
static enum library_result nothing(struct machine *m, struct library_call *k)
{
	(void)m;
	(void)k;
	return LIBRARY_DONE;
}

static enum library_result at(struct machine *m, struct library_call *k)
{
	if (k->t->controlled && m->buffered) {
		const struct trace_site *s = trace_sites_find(&m->p->sites, k->site);

		if (!s || !wire_call_reads_nothing(s->name))
			machine_drain(m, k->t);
	}
	k->t->at_site = k->site;
	if (k->site != SYMEX_NONE)
		k->t->last_site = k->site;
	return LIBRARY_DONE;
}

static enum library_result opaque(struct machine *m, struct library_call *k)
{
	const struct program_function *f = k->arg[0] ? program_function_at(m->p, k->arg[0]) : NULL;

	/* Of instrumented code: it says itself what it does. */
	if (!k->t->controlled || (f && f->value))
		return LIBRARY_DONE;
	machine_drain(m, k->t);
	k->t->at_site = SYMEX_NONE;
	marker(m, k, EVENT_CALL, k->arg[0], 0, EXPR_NONE);
	return LIBRARY_DONE;
}

const struct library_row library_hooks[] = {
	{"heddle_hook_load1", load1},
	{"heddle_hook_load2", load2},
	{"heddle_hook_load4", load4},
	{"heddle_hook_load8", load8},
	{"heddle_hook_store1", store1},
	{"heddle_hook_store2", store2},
	{"heddle_hook_store4", store4},
	{"heddle_hook_store8", store8},
	{"heddle_hook_load_n", load_n},
	{"heddle_hook_store_n", store_n},
	{"heddle_hook_atomic_load", atomic_load},
	{"heddle_hook_atomic_store", atomic_store},
	{"heddle_hook_atomic_swap_n", atomic_swap_n},
	{"heddle_hook_atomic_cas_n", atomic_cas_n},
	{"heddle_hook_fence", fence},
	{"heddle_hook_memcpy", move},
	{"heddle_hook_memmove", move},
	{"heddle_hook_memset", fill},
	{"heddle_hook_branch", branch},
	{"heddle_hook_compare", nothing},
	{"heddle_hook_spin", spin},
	{"heddle_hook_spin_enter", nothing},
	{"heddle_hook_enter", enter},
	{"heddle_hook_leave", leave},
	{"heddle_hook_into", into},
	{"heddle_hook_call", opaque},
	{"heddle_hook_at", at},
	{"heddle_hook_outside", outside_begin},
	{"heddle_hook_outside_done", outside_end},
	{NULL, NULL},
};
