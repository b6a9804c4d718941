/* The beginning and the end of the process: main, exit handlers, aborts. */
#include <stdlib.h>
#include <string.h>

#include "symex/library/outside.h"
#include "symex/library/threads.h"
#include "wire/ctl.h"

enum { HANDLER_CXA, HANDLER_ON_EXIT, HANDLER_EARLY /* before control began */ = 4 };

/* As the guest has it: nobody can have added any when all others were joined and none is there. */
static void look_at_handlers(struct machine *m, struct library_call *k)
{
	bool late = false;

	for (size_t i = 0; i < m->handlers.count; i += 3)
		late |= !(m->handlers.items[i] & HANDLER_EARLY);
	if (k->t->controlled && (late || !threads_alone(m)))
		outside_use(m, k, 'g', "exit-handlers", k->t->announced);
}

static bool next_handler(struct machine *m, struct library_call *k, uint64_t status)
{
	uint64_t arg, function, kind;

	if (k->t->at_end.count) {
		k->callee_count = 1;
		k->callee_arg[0] = vec_pop(&k->t->at_end);
		k->callee = vec_pop(&k->t->at_end);
		return true;
	}
	if (m->destructors_done)
		return false;
	look_at_handlers(m, k);
	if (!m->handlers.count)
		return false;
	arg = vec_pop(&m->handlers);
	function = vec_pop(&m->handlers);
	kind = vec_pop(&m->handlers) & ~(uint64_t)HANDLER_EARLY;
	k->callee = function;
	k->callee_count = kind == HANDLER_ON_EXIT ? 2 : 1;
	k->callee_arg[0] = kind == HANDLER_ON_EXIT ? status : arg;
	k->callee_arg[1] = arg;
	return true;
}

static enum library_result over(struct machine *m, struct library_call *k, uint64_t status)
{
	machine_event(m, k->t, EVENT_EXIT, k->t->announced, 0, status & 0xff, 0);
	m->process_over = true;
	m->exit_status = (int)(status & 0xff);
	m->trace->exit_status = m->exit_status;
	machine_end(m, k->t, SYMEX_END_EXIT, k->t->last_site, "exit status %d", m->exit_status);
	return LIBRARY_END;
}

enum library_result process_exit(struct machine *m, struct library_call *k)
{
	uint64_t status = library_arg(m, k, 0);

	(void)library_take_site(k);
	if (next_handler(m, k, status))
		return LIBRARY_CALL;
	if (m->destructors_done < m->p->destructors.count) {
		k->callee = m->p->destructors.items[m->destructors_done++];
		k->callee_count = 0;
		return LIBRARY_CALL;
	}
	return over(m, k, status);
}

static enum library_result exit_at_once(struct machine *m, struct library_call *k)
{
	(void)library_take_site(k);
	return over(m, k, library_arg(m, k, 0));
}

static enum library_result quick_exit_model(struct machine *m, struct library_call *k)
{
	(void)library_take_site(k);
	look_at_handlers(m, k);
	return over(m, k, library_arg(m, k, 0));
}

static enum library_result abort_model(struct machine *m, struct library_call *k)
{
	uint32_t site = library_take_site(k);

	machine_fail(m, k->t, FAILURE_ABORT, site, 0, "abort");
	return LIBRARY_END;
}

static enum library_result assert_model(struct machine *m, struct library_call *k)
{
	uint32_t site = library_take_site(k);
	char *text = library_string(m, k, library_arg(m, k, 0));

	machine_fail(m, k->t, FAILURE_ASSERT, site, 0, "\"%s\"", text);
	free(text);
	return LIBRARY_END;
}

static enum library_result trap(struct machine *m, struct library_call *k)
{
	machine_fail(m, k->t, FAILURE_SIGNAL, k->t->last_site, 0, "trap");
	return LIBRARY_END;
}

static enum library_result atexit_model(struct machine *m, struct library_call *k)
{
	bool on_exit = !strcmp(k->f->name, "on_exit");
	const struct program_function *f = program_function_at(m->p, library_arg(m, k, 0));
	uint32_t site = library_take_site(k);

	/* What the library itself registered before control says nothing about the program. */
	if (!k->t->controlled && f && !f->value)
		return library_return(k, 0);
	if (k->t->controlled)
		outside_use(m, k, 'H', "exit-handlers", site);
	vec_push(&m->handlers, (on_exit ? HANDLER_ON_EXIT : HANDLER_CXA) |
				       (k->t->controlled ? 0 : HANDLER_EARLY));
	vec_push(&m->handlers, library_arg(m, k, 0));
	vec_push(&m->handlers, k->count > 1 ? library_arg(m, k, 1) : 0);
	return library_return(k, 0);
}

/* ---- main ---- */

static enum library_result main_root(struct machine *m, struct library_call *k)
{
	struct machine_thread *t = k->t;
	struct program_function *f;

	if (k->phase == 0) {
		/* Constructors run before control begins. */
		if (k->local[2] < m->p->constructors.count) {
			k->callee = m->p->constructors.items[k->local[2]++];
			k->callee_arg[0] = m->main_args[0];
			k->callee_arg[1] = m->main_args[1];
			k->callee_arg[2] = m->main_args[2];
			k->callee_count = 3;
			return LIBRARY_CALL;
		}
		f = program_function_named(m->p, "main");
		if (!f || !f->value) {
			machine_end(m, t, SYMEX_END_UNKNOWN, SYMEX_NONE, "no function main");
			return LIBRARY_END;
		}
		t->controlled = true;
		mem_copy(&m->first, t->space);
		m->has_first = true;
		machine_event(m, t, EVENT_THREAD_BEGIN, SYMEX_NONE, 0, 0, THREAD_NONE);
		k->phase = 1;
		k->callee = f->address;
		memcpy(k->callee_arg, m->main_args, sizeof(m->main_args));
		k->callee_count = 3;
		return LIBRARY_CALL;
	}
	if (k->phase == 2 && k->local[0]) {
		if (threads_next_destructor(m, k))
			return LIBRARY_CALL;
		t->result = k->returned;
		k->phase = 3;
		return threads_end(m, k);
	}
	/* main has returned: what exit does. */
	if (k->phase == 1) {
		k->phase = 3;
		k->arg[0] = k->returned & 0xffffffff;
		k->expr[0] = k->returned_expr;
		k->count = 1;
	}
	return process_exit(m, k);
}

static struct program_function main_function = {.name = (char *)"main", .library = main_root};

void threads_begin_main(struct machine *m, struct machine_thread *t)
{
	struct library_call k = {.t = t, .f = &main_function, .site = SYMEX_NONE};

	k.local[1] = SYMEX_NONE;
	vec_push(&t->models, k);
}

const struct library_row library_process[] = {
	{"exit", process_exit},
	{"_exit", exit_at_once},
	{"_Exit", exit_at_once},
	{"quick_exit", quick_exit_model},
	{"abort", abort_model},
	{"__assert_fail", assert_model},
	{"heddle_property_assert_failed", assert_model},
	{"llvm.trap", trap},
	{"atexit", atexit_model},
	{"__cxa_atexit", atexit_model},
	{"on_exit", atexit_model},
	{NULL, NULL},
};
