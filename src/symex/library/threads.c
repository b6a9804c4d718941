/* Threads: creation, joining, their ends; the end of the process. */
#include <errno.h>
#include <string.h>

#include "symex/library/library.h"
#include "symex/machine/sharing.h"
#include "symex/library/threads.h"
#include "wire/ctl.h"
#include "wire/hidden.h"

#define HIDDEN_RESULT_KIND 3
#define KEY_FIRST 0x100000 /* number of the first key, as the guest has it */

uint64_t threads_hidden_cell(unsigned kind, uint64_t key)
{
	return WIRE_HIDDEN_ADDR + wire_hidden_place(kind, key);
}

static struct machine_thread *create(struct machine *m, struct library_call *k, uint64_t routine,
				     uint64_t arg, uint32_t site);

static uint64_t result_cell(const struct machine_thread *t)
{
	return threads_hidden_cell(HIDDEN_RESULT_KIND, t->key);
}

/* The handle of a thread: an address nobody uses for anything else. */
static uint64_t handle_of(uint32_t tid)
{
	return UINT64_C(0x700000000000) + 4096 * (uint64_t)(tid + 1);
}

static struct machine_thread *by_handle(struct machine *m, uint64_t handle)
{
	uint64_t tid = (handle - UINT64_C(0x700000000000)) / 4096 - 1;

	return handle_of((uint32_t)tid) == handle && tid < m->threads.count ? m->threads.items[tid]
									    : NULL;
}

static enum library_result join(struct machine *m, struct library_call *k, uint64_t to,
				uint32_t bytes);

static void give(struct machine *m, struct library_call *k, uint64_t to, uint64_t value,
		 expr_id expr, uint32_t bytes, uint32_t site)
{
	struct symex_event *e;

	if (!machine_check(m, k->t, to, bytes, site, true))
		machine_escape(m);
	e = machine_event(m, k->t, EVENT_WRITE, site, to, value, ORDER_PLAIN | EVENT_GLUED);
	e->size = (uint8_t)bytes;
	access_write(m, k->t, e, to, bytes, value,
		     expr ? expr_resize(m->pool, expr, bytes * 8, false) : EXPR_NONE);
}

/* For std::thread: the handle goes to memory of the caller's. */
struct machine_thread *threads_create(struct machine *m, struct library_call *k, uint64_t routine,
				      uint64_t argument, uint64_t handle)
{
	uint32_t site = library_take_site(k);
	struct machine_thread *t = create(m, k, routine, argument, site);

	give(m, k, handle, handle_of(t->tid), EXPR_NONE, 8, site);
	return t;
}

static struct machine_thread *create(struct machine *m, struct library_call *k, uint64_t routine,
				     uint64_t arg, uint32_t site)
{
	struct machine_thread *t;

	if (m->o->max_threads && m->threads.count >= m->o->max_threads) {
		machine_end(m, k->t, SYMEX_END_LIMIT, site, "more than %u threads",
			    m->o->max_threads);
		machine_escape(m);
	}
	t = machine_thread_new(m, k->t, routine, arg);
	if (m->sharing)
		sharing_fork(m->sharing, t->tid, k->t->tid, k->t->tix);
	threads_begin(m, t, site);
	machine_event(m, k->t, EVENT_THREAD_CREATE, site, 0, 0, t->tid);
	return t;
}

static enum library_result pthread_create_model(struct machine *m, struct library_call *k)
{
	uint32_t site = library_take_site(k);
	uint64_t handle = library_arg(m, k, 0);
	struct machine_thread *t = create(m, k, library_arg(m, k, 2), library_arg(m, k, 3), site);

	if (handle)
		give(m, k, handle, handle_of(t->tid), EXPR_NONE, 8, site);
	return library_return(k, 0);
}

static enum library_result thrd_create_model(struct machine *m, struct library_call *k)
{
	uint32_t site = library_take_site(k);
	uint64_t handle = library_arg(m, k, 0);
	struct machine_thread *t = create(m, k, library_arg(m, k, 1), library_arg(m, k, 2), site);

	t->c11 = true;
	give(m, k, handle, handle_of(t->tid), EXPR_NONE, 8, site);
	return library_return(k, 0);
}

/* What the joined thread did is known to the one that joins. */
static void take_over(struct machine *m, struct machine_thread *t, struct machine_thread *from)
{
	if (m->one_space)
		return;
	if (m->sharing)
		sharing_join(m->sharing, t->tid, from->tid, t->tix);
	if (from->space != t->space)
		mem_carry(t->space, from->space);
}

enum library_result threads_join(struct machine *m, struct library_call *k, uint64_t handle)
{
	k->arg[0] = handle;
	return join(m, k, 0, 8);
}

static enum library_result join(struct machine *m, struct library_call *k, uint64_t to,
				uint32_t bytes)
{
	uint32_t site;
	uint64_t handle = library_arg(m, k, 0);
	struct machine_thread *t = by_handle(m, handle);
	struct symex_event *e;

	if (k->phase == 0)
		k->local[0] = library_take_site(k);
	site = (uint32_t)k->local[0];
	if (!t)
		return library_return(k, ESRCH);
	if (t->joined || t == k->t)
		return library_return(k, t == k->t ? EDEADLK : EINVAL);
	/* Apart, threads are executed when their creator is through or waits for them. */
	if (!m->one_space && t->state == THREAD_RUNS) {
		k->phase = 1;
		k->t->waits_for = t->tid + 1;
		return LIBRARY_AGAIN;
	}
	if (!m->one_space && machine_out(m, t)->end != SYMEX_END_RETURNED) {
		machine_end(m, k->t, SYMEX_END_BLOCKED, site,
			    "waits for a thread that does not end");
		return LIBRARY_END;
	}
	t->joined = true;
	machine_event(m, k->t, EVENT_THREAD_JOIN, site, 0, 0, t->tid);
	take_over(m, k->t, t);
	if (to) {
		e = machine_event(m, k->t, EVENT_READ, site, result_cell(t), t->result,
				  ORDER_SEQ_CST | EVENT_GLUED | EVENT_HIDDEN);
		e->size = 8;
		e->value_expr = t->result_expr;
		give(m, k, bytes == 8 ? to : machine_alloca(m, k->t, 8, 3), t->result,
		     t->result_expr, 8, site);
		if (bytes != 8)
			give(m, k, to, t->result & 0xffffffff, t->result_expr, bytes,
			     k->t->last_site);
	}
	return library_return(k, 0);
}

static enum library_result pthread_join_model(struct machine *m, struct library_call *k)
{
	return join(m, k, library_arg(m, k, 1), 8);
}

static enum library_result thrd_join_model(struct machine *m, struct library_call *k)
{
	return join(m, k, library_arg(m, k, 1), 4);
}

static enum library_result detach(struct machine *m, struct library_call *k)
{
	uint32_t site = library_take_site(k);
	struct machine_thread *t = by_handle(m, library_arg(m, k, 0));

	if (!t)
		return library_return(k, ESRCH);
	machine_event(m, k->t, EVENT_THREAD_DETACH, site, 0, 0, t->tid);
	return library_return(k, 0);
}

static enum library_result self(struct machine *m, struct library_call *k)
{
	(void)library_take_site(k);
	return library_return(k, handle_of(k->t->tid));
}

static enum library_result equal(struct machine *m, struct library_call *k)
{
	return library_return(k, library_arg(m, k, 0) == library_arg(m, k, 1));
}

static enum library_result yield(struct machine *m, struct library_call *k)
{
	uint32_t site = library_take_site(k);

	if (k->t->controlled)
		machine_event(m, k->t, EVENT_YIELD, site, 0, 0, 0);
	return library_return(k, 0);
}

static void drop_all(struct machine_thread *t)
{
	while (t->frames.count) {
		t->sp = vec_last(&t->frames).sp;
		t->locals.count = vec_last(&t->frames).locals;
		t->frames.count--;
	}
	while (t->models.count > 1)
		free(vec_pop(&t->models).data);
}

/* The thread leaves from wherever it is: the root model goes on. */
static enum library_result thread_exit(struct machine *m, struct library_call *k)
{
	struct machine_thread *t = k->t;
	uint64_t result = k->count ? library_arg(m, k, 0) : 0, once = 0;

	/* The unwinder looks whether its tables are there. */
	if (k->phase == 0 && library_outcome(m, k, EVENT_ONCE_PASS, ADDR_UNWINDER, &once) && once) {
		k->phase = 1;
		machine_event(m, t, EVENT_ONCE_PASS, library_take_site(k), ADDR_UNWINDER, 0, 0);
		return LIBRARY_AGAIN;
	}
	(void)library_take_site(k);
	drop_all(t);
	t->models.items[0].returned = result;
	t->models.items[0].returned_expr = EXPR_NONE;
	t->models.items[0].phase = 2;
	t->models.items[0].local[0] = 1; /* of main: the process goes on */
	return LIBRARY_END;
}

/* ---- data of threads ---- */

static enum library_result key_create(struct machine *m, struct library_call *k)
{
	uint64_t key = KEY_FIRST + m->keys.count;

	vec_push(&m->keys, library_arg(m, k, 1));
	(void)mem_store(k->t->space, library_arg(m, k, 0), 4, key, EXPR_NONE);
	return library_return(k, 0);
}

static enum library_result get_specific(struct machine *m, struct library_call *k)
{
	uint64_t key = (library_arg(m, k, 0) & 0xffffffff) - KEY_FIRST;

	return library_return(k, key < k->t->keys.count ? k->t->keys.items[key] : 0);
}

static enum library_result set_specific(struct machine *m, struct library_call *k)
{
	uint64_t key = (library_arg(m, k, 0) & 0xffffffff) - KEY_FIRST;

	if (key >= m->keys.count)
		return library_return(k, EINVAL);
	while (k->t->keys.count <= key)
		vec_push(&k->t->keys, 0);
	k->t->keys.items[key] = library_arg(m, k, 1);
	return library_return(k, 0);
}

static enum library_result key_delete(struct machine *m, struct library_call *k)
{
	return library_return(k, 0);
}

static enum library_result thread_atexit(struct machine *m, struct library_call *k)
{
	(void)library_take_site(k);
	vec_push(&k->t->at_end, library_arg(m, k, 0));
	vec_push(&k->t->at_end, library_arg(m, k, 1));
	return library_return(k, 0);
}

/* Destructors of thread_local objects, then of keys; false when none is left. */
bool threads_next_destructor(struct machine *m, struct library_call *k)
{
	struct machine_thread *t = k->t;

	k->callee_count = 1;
	if (t->at_end.count) {
		k->callee_arg[0] = vec_pop(&t->at_end);
		k->callee = vec_pop(&t->at_end);
		return true;
	}
	for (size_t i = 0; i < t->keys.count; i++) {
		if (!t->keys.items[i] || !m->keys.items[i])
			continue;
		k->callee_arg[0] = t->keys.items[i];
		k->callee = m->keys.items[i];
		t->keys.items[i] = 0;
		return true;
	}
	return false;
}

/* ---- roots ---- */

enum { ROOT_BEGIN, ROOT_RUN, ROOT_RETURNED, ROOT_RESULT, ROOT_END, ROOT_DELETE, ROOT_LAST };

/* Of the table of virtual functions of the object that std::thread made: run, delete. */
#define SLOT_DELETE 8
#define SLOT_RUN 16

static uint64_t virtual_function(struct machine *m, struct library_call *k, uint64_t slot)
{
	uint64_t table = library_word(m, k, k->t->argument, 8);

	return library_word(m, k, table + slot, 8);
}

static void leave_result(struct machine *m, struct library_call *k)
{
	struct symex_event *e;

	if (!k->t->result && !k->t->result_expr)
		return;
	e = machine_event(m, k->t, EVENT_WRITE, (uint32_t)k->local[1], result_cell(k->t),
			  k->t->result, ORDER_SEQ_CST | EVENT_HIDDEN);
	e->size = 8;
	e->value_expr = k->t->result_expr;
}

static bool is_last(const struct machine *m, const struct machine_thread *t)
{
	for (size_t i = 0; i < m->threads.count; i++)
		if (m->threads.items[i] != t && m->threads.items[i]->state == THREAD_RUNS)
			return false;
	return m->one_space;
}

/* The last thread ends the process; apart, nobody knows which one that is. */
bool threads_alone(const struct machine *m)
{
	size_t left = 0;

	for (size_t i = 0; i < m->threads.count; i++)
		left += !m->threads.items[i]->joined;
	return left <= 1;
}

enum library_result threads_end(struct machine *m, struct library_call *k)
{
	machine_event(m, k->t, EVENT_THREAD_END, (uint32_t)k->local[1], 0, k->t->result, 0);
	if (is_last(m, k->t)) {
		k->phase = ROOT_LAST;
		k->arg[0] = 0;
		k->count = 1;
		return LIBRARY_AGAIN;
	}
	machine_end(m, k->t, SYMEX_END_RETURNED, SYMEX_NONE, "returned");
	return LIBRARY_END;
}

static enum library_result root(struct machine *m, struct library_call *k)
{
	struct machine_thread *t = k->t;

	switch (k->phase) {
	case ROOT_BEGIN:
		t->controlled = true;
		machine_event(m, t, EVENT_THREAD_BEGIN, (uint32_t)k->local[1], 0, 0,
			      t->parent == SYMEX_NONE ? THREAD_NONE : t->parent);
		k->phase = t->native ? ROOT_DELETE : ROOT_RUN;
		k->callee = t->native ? virtual_function(m, k, SLOT_RUN) : t->routine;
		k->callee_arg[0] = t->argument;
		k->callee_count = 1;
		return LIBRARY_CALL;
	case ROOT_DELETE:
		k->phase = ROOT_RUN;
		k->callee = virtual_function(m, k, SLOT_DELETE);
		return LIBRARY_CALL;
	case ROOT_RUN:
		if (t->native)
			k->returned = 0;
		k->phase = ROOT_RETURNED;
		/* fall through */
	case ROOT_RETURNED:
		/* The result of a function of C11 is an int. */
		t->result = t->c11 ? (uint64_t)(int64_t)(int32_t)k->returned : k->returned;
		t->result_expr = k->returned_expr;
		if (t->result_expr)
			t->result_expr = expr_resize(m->pool, t->result_expr, 64, t->c11);
		k->phase = ROOT_RESULT;
		/* fall through */
	case ROOT_RESULT:
		if (threads_next_destructor(m, k))
			return LIBRARY_CALL;
		k->phase = ROOT_END;
		leave_result(m, k);
		if (t->result || t->result_expr)
			return LIBRARY_AGAIN;
		/* fall through */
	case ROOT_END:
		return threads_end(m, k);
	default:
		return process_exit(m, k);
	}
}

static struct program_function root_function = {.name = (char *)"thread", .library = root};

void threads_begin(struct machine *m, struct machine_thread *t, uint32_t site)
{
	struct library_call k = {.t = t, .f = &root_function, .site = site};

	k.local[1] = site;
	vec_push(&t->models, k);
}

const struct library_row library_threads[] = {
	{"pthread_create", pthread_create_model},
	{"thrd_create", thrd_create_model},
	{"pthread_join", pthread_join_model},
	{"thrd_join", thrd_join_model},
	{"pthread_detach", detach},
	{"thrd_detach", detach},
	{"pthread_self", self},
	{"thrd_current", self},
	{"pthread_equal", equal},
	{"thrd_equal", equal},
	{"sched_yield", yield},
	{"pthread_yield", yield},
	{"thrd_yield", yield},
	{"pthread_exit", thread_exit},
	{"thrd_exit", thread_exit},
	{"pthread_key_create", key_create},
	{"pthread_key_delete", key_delete},
	{"pthread_getspecific", get_specific},
	{"pthread_setspecific", set_specific},
	{"tss_create", key_create},
	{"tss_get", get_specific},
	{"tss_set", set_specific},
	{"__cxa_thread_atexit", thread_atexit},
	{"__cxa_thread_atexit_impl", thread_atexit},
	{NULL, NULL},
};
