/* The runtime of C++: exceptions, casts, threads, and what else stays in the library. */
#include <string.h>

#include "symex/library/library.h"
#include "symex/machine/throw.h"
#include "symex/library/threads.h"
#include "wire/ctl.h"

/* ---- exceptions ---- */

static enum library_result allocate_exception(struct machine *m, struct library_call *k)
{
	uint64_t bytes = library_arg(m, k, 0);
	uint64_t at = machine_allocate(m, k->t, bytes + THROW_HEADER, 16, SYMEX_NONE);

	return library_return(k, at + THROW_HEADER);
}

static void release_exception(struct machine *m, uint64_t object)
{
	struct machine_block *b = machine_block_at(m, object - THROW_HEADER);

	if (b)
		b->freed = true;
}

static enum library_result free_exception(struct machine *m, struct library_call *k)
{
	release_exception(m, library_arg(m, k, 0));
	return LIBRARY_DONE;
}

static enum library_result throw_model(struct machine *m, struct library_call *k)
{
	uint64_t object = library_arg(m, k, 0), type = library_arg(m, k, 1);
	uint64_t destructor = library_arg(m, k, 2);

	(void)mem_store(k->t->space, object - THROW_HEADER + 8, 8, destructor, EXPR_NONE);
	machine_throw(m, k->t, object, type);
	return LIBRARY_END;
}

static enum library_result begin_catch(struct machine *m, struct library_call *k)
{
	uint64_t object = library_arg(m, k, 0);

	for (size_t i = 0; i < k->t->caught.count; i++)
		if (k->t->caught.items[i].object == object) {
			k->t->caught.items[i].handlers++;
			return library_return(k, object);
		}
	vec_push(&k->t->caught, ((struct machine_caught){object, 1}));
	return library_return(k, object);
}

/* The last handler destroys the exception, unless it is on its way again. */
static enum library_result end_catch(struct machine *m, struct library_call *k)
{
	struct machine_caught *c;
	uint64_t object;

	if (k->phase) {
		release_exception(m, k->local[0]);
		return LIBRARY_DONE;
	}
	if (!k->t->caught.count)
		return LIBRARY_DONE;
	c = &vec_last(&k->t->caught);
	object = c->object;
	if (--c->handlers)
		return LIBRARY_DONE;
	k->t->caught.count--;
	if (k->t->rethrown == object) {
		k->t->rethrown = 0;
		return LIBRARY_DONE;
	}
	k->callee = library_word(m, k, object - THROW_HEADER + 8, 8);
	k->local[0] = object;
	k->phase = 1;
	if (!k->callee) {
		release_exception(m, object);
		return LIBRARY_DONE;
	}
	k->callee_arg[0] = object;
	k->callee_count = 1;
	return LIBRARY_CALL;
}

static enum library_result rethrow(struct machine *m, struct library_call *k)
{
	uint64_t object;

	if (!k->t->caught.count) {
		machine_fail(m, k->t, FAILURE_ABORT, k->t->last_site, 0, "throw without exception");
		return LIBRARY_END;
	}
	object = vec_last(&k->t->caught).object;
	k->t->rethrown = object;
	machine_throw(m, k->t, object, library_word(m, k, object - THROW_HEADER, 8));
	return LIBRARY_END;
}

static enum library_result get_exception(struct machine *m, struct library_call *k)
{
	return library_return(k, library_arg(m, k, 0));
}

static enum library_result typeid_for(struct machine *m, struct library_call *k)
{
	return library_return(k, throw_selector(library_arg(m, k, 0)));
}

static enum library_result terminate(struct machine *m, struct library_call *k)
{
	machine_fail(m, k->t, FAILURE_ABORT, library_take_site(k), 0, "%s", k->f->name);
	return LIBRARY_END;
}

static enum library_result pure_virtual(struct machine *m, struct library_call *k)
{
	machine_fail(m, k->t, FAILURE_ABORT, k->t->last_site, 0,
		     "a pure virtual function is called");
	return LIBRARY_END;
}

/* ---- casts ---- */

static enum library_result dynamic_cast_model(struct machine *m, struct library_call *k)
{
	uint64_t object = library_arg(m, k, 0), to = library_arg(m, k, 2), table, type, where = 0;
	int64_t top;

	if (!object)
		return library_return(k, 0);
	table = library_word(m, k, object, 8);
	top = (int64_t)library_word(m, k, table - 16, 8);
	type = library_word(m, k, table - 8, 8);
	if (!throw_is_a(m, k->t, type, to, object + (uint64_t)top, &where, 0))
		where = 0;
	return library_return(k, where);
}

static enum library_result type_equal(struct machine *m, struct library_call *k)
{
	return library_return(k, library_arg(m, k, 0) == library_arg(m, k, 1));
}

/* ---- threads ---- */

/* std::thread hands over an object with a virtual function; the object belongs to the thread. */
static enum library_result start_thread(struct machine *m, struct library_call *k)
{
	uint64_t holder = library_arg(m, k, 1), object = library_word(m, k, holder, 8);

	threads_create(m, k, 0, object, library_arg(m, k, 0))->native = true;
	(void)mem_store(k->t->space, holder, 8, 0, EXPR_NONE);
	return LIBRARY_DONE;
}

static enum library_result join_thread(struct machine *m, struct library_call *k)
{
	enum library_result r;

	if (k->phase == 0)
		k->local[5] = library_arg(m, k, 0);
	r = threads_join(m, k, library_word(m, k, k->local[5], 8));
	if (r == LIBRARY_DONE)
		(void)mem_store(k->t->space, k->local[5], 8, 0, EXPR_NONE);
	return r;
}

/* A std::unique_lock begins with a pointer to its mutex. */
static enum library_result wait_model(struct machine *m, struct library_call *k)
{
	if (k->phase == 0)
		k->arg[1] = library_word(m, k, library_arg(m, k, 1), 8);
	return sync_cond_wait(m, k);
}

/* What std::call_once left for pthread_once to call. */
static enum library_result once_proxy(struct machine *m, struct library_call *k)
{
	if (k->phase++)
		return LIBRARY_DONE;
	for (size_t i = 0; i < m->p->globals.count; i++) {
		const struct program_global *g = &m->p->globals.items[i];

		if (strcmp(g->name, "_ZSt11__once_call"))
			continue;
		k->callee = library_word(
			m, k, ADDR_TLS + ((uint64_t)k->t->tid << ADDR_THREAD_SHIFT) + g->address,
			8);
		k->callee_count = 0;
		return LIBRARY_CALL;
	}
	return LIBRARY_DONE;
}

static enum library_result concurrency(struct machine *m, struct library_call *k)
{
	return library_return(k, 2);
}

static enum library_result nothing(struct machine *m, struct library_call *k)
{
	(void)library_take_site(k);
	return library_return(k, 0);
}

const struct library_row library_cxx[] = {
	{"__cxa_allocate_exception", allocate_exception},
	{"__cxa_free_exception", free_exception},
	{"__cxa_throw", throw_model},
	{"__cxa_rethrow", rethrow},
	{"__cxa_begin_catch", begin_catch},
	{"__cxa_end_catch", end_catch},
	{"__cxa_get_exception_ptr", get_exception},
	{"llvm.eh.typeid.for*", typeid_for},
	{"_ZSt9terminatev", terminate},
	{"__clang_call_terminate", terminate},
	{"__cxa_pure_virtual", pure_virtual},
	{"__cxa_deleted_virtual", pure_virtual},
	{"__dynamic_cast", dynamic_cast_model},
	{"_ZNKSt9type_infoeqERKS_", type_equal},
	{"_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE",
	 start_thread},
	{"_ZNSt6thread4joinEv", join_thread},
	{"_ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE", wait_model},
	{"__once_proxy", once_proxy},
	{"_ZNSt6thread20hardware_concurrencyEv", concurrency},
	{"_ZNSt6thread6_StateD2Ev", nothing},
	{"_ZNSt8ios_base4InitC1Ev", nothing},
	{"_ZNSt8ios_base4InitD1Ev", nothing},
	{NULL, NULL},
};
