/* A run of the machine: threads apart, one after the other, until nothing new is shared. */
#include "symex/path/run.h"

#include <assert.h>
#include <string.h>

#include "symex/code/load.h"
#include "symex/library/library.h"
#include "symex/machine/machine.h"
#include "symex/machine/sharing.h"
#include "symex/library/threads.h"

#define ARGS_AT (ADDR_LOOSE + (UINT64_C(3) << 40))
#define MAX_ROUNDS 64

int symex_program_load(const char *path, struct symex_program **out, struct err *e)
{
	int rc = program_load(path, out, e);

	if (!rc)
		library_prepare(*out);
	for (size_t i = 0; !rc && i < (*out)->functions.count; i++)
		if (!(*out)->functions.items[i]->value)
			library_find((*out)->functions.items[i]);
	return rc;
}

/* ---- arguments of main ---- */

static uint64_t put_strings(struct machine *m, char *const *list, uint64_t *at, uint64_t *count)
{
	VEC(uint64_t) pointers = VEC_INIT;
	uint64_t table;

	for (size_t i = 0; list && list[i]; i++) {
		size_t n = strlen(list[i]) + 1;

		mem_map(&m->shared_space, *at, n);
		(void)mem_put(&m->shared_space, *at, list[i], n);
		vec_push(&pointers, *at);
		*at += n + 16;
	}
	*count = pointers.count;
	vec_push(&pointers, 0);
	table = *at = (*at + 15) & ~UINT64_C(15);
	mem_map(&m->shared_space, table, pointers.count * 8);
	(void)mem_put(&m->shared_space, table, pointers.items, pointers.count * 8);
	*at += pointers.count * 8 + 16;
	vec_free(&pointers);
	return table;
}

void machine_begin(struct machine *m)
{
	static char *const none[] = {(char *)"program", NULL};
	char *const *argv = m->o->argv ? m->o->argv : none;
	struct machine_thread *t;
	uint64_t at = ARGS_AT, count, name;

	m->outside = library_outside;
	m->main_args[1] = put_strings(m, argv, &at, &m->main_args[0]);
	m->main_args[2] = put_strings(m, m->o->envp, &at, &count);
	name = symex_program_address(m->p, "environ");
	if (name)
		(void)mem_store(&m->shared_space, name, 8, m->main_args[2], EXPR_NONE);
	t = machine_thread_new(m, NULL, 0, 0);
	if (m->sharing)
		sharing_fork(m->sharing, 0, UINT32_MAX, 0);
	threads_begin_main(m, t);
}

/* ---- threads apart ---- */

static void run_thread(struct machine *m, struct machine_thread *t)
{
	while (t->state == THREAD_RUNS) {
		uint32_t waits = t->waits_for;

		if (waits) {
			t->waits_for = 0;
			run_thread(m, m->threads.items[waits - 1]);
		}
		machine_step(m, t);
	}
}

static void execute(struct machine *m)
{
	machine_begin(m);
	/* Threads that nobody waits for come last; they may create others. */
	for (size_t i = 0; i < m->threads.count; i++)
		run_thread(m, m->threads.items[i]);
}

static void clear_trace(struct symex_trace *t)
{
	for (size_t i = 0; i < t->threads.count; i++) {
		vec_free(&t->threads.items[i].events);
		vec_free(&t->threads.items[i].conditions);
	}
	vec_free(&t->threads);
	vec_free(&t->parts);
	vec_free(&t->reads);
	vec_free(&t->notes);
	expr_pool_free(t->pool);
	machine_free((struct machine *)t->machine);
	memset(t, 0, sizeof(*t));
}

int symex_run(struct symex_program *p, const struct symex_options *o, struct symex_trace *out,
	      struct err *e)
{
	struct sharing *sharing = o->known ? o->known : sharing_new();
	bool more = true;

	memset(out, 0, sizeof(*out));
	for (unsigned round = 0; more; round++) {
		struct machine *m;

		if (round && o->source.restart)
			o->source.restart(o->source.arg);
		clear_trace(out);
		out->pool = expr_pool_new();
		m = machine_new(p, o, out);
		out->machine = (struct symex_machine *)m;
		m->sharing = sharing;
		sharing_begin(sharing);
		execute(m);
		more = !o->shared && sharing_end(sharing);
		m->sharing = NULL;
		if (more && round == MAX_ROUNDS) {
			if (!o->known)
				sharing_free(sharing);
			symex_trace_fini(out);
			return err_set(e, ERR_LIMIT, "more memory is shared after %d executions",
				       MAX_ROUNDS);
		}
	}
	if (!o->known)
		sharing_free(sharing);
	return 0;
}

struct sharing *symex_sharing_new(void)
{
	return sharing_new();
}

void symex_sharing_free(struct sharing *s)
{
	if (s)
		sharing_free(s);
}

void symex_trace_fini(struct symex_trace *t)
{
	clear_trace(t);
}

uint64_t symex_trace_initial(const struct symex_trace *t, uint64_t addr, uint32_t size)
{
	struct machine *m = (struct machine *)t->machine;
	uint64_t value = 0;
	expr_id e;

	return mem_load(&m->first, addr, size, &value, &e) && !e ? value : 0;
}

bool symex_trace_object(const struct symex_trace *t, uint64_t addr, struct symex_object *out)
{
	return machine_find_object((struct machine *)t->machine, addr, out);
}
