/* Time, random numbers, the environment, jumps; what programs ask the system for. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "symex/library/library.h"
#include "symex/library/threads.h"

#define HIDDEN_CLOCK_KIND 1
#define HIDDEN_RANDOM_KIND 2
#define NS UINT64_C(1000000000)
#define GLUED (ORDER_SEQ_CST | EVENT_GLUED | EVENT_HIDDEN)

/* A cell is read and written in one step. */
static void use_cell(struct machine *m, struct library_call *k, uint64_t cell, uint32_t site,
		     bool observed)
{
	struct symex_event *e = machine_event(m, k->t, EVENT_READ, site, cell, 0,
					      GLUED | (observed ? 0 : EVENT_BLIND));

	e->size = 8;
	e = machine_event(m, k->t, EVENT_WRITE, site, cell, 0, GLUED);
	e->size = 8;
}

/* ---- time ---- */

static bool read_clock(struct machine *m, struct library_call *k, uint64_t *now, expr_id *expr)
{
	uint32_t site = library_take_site(k);
	struct symex_event *e;
	bool known;

	*expr = EXPR_NONE;
	*now = 0;
	known = library_outcome(m, k, EVENT_CLOCK, 0, now);
	if (!known)
		*expr = machine_unknown(m, k->t, 64);
	if (!k->t->controlled)
		return known;
	e = machine_event(m, k->t, EVENT_CLOCK, site, 0, *now, 0);
	e->value_expr = *expr;
	use_cell(m, k, threads_hidden_cell(HIDDEN_CLOCK_KIND, 0), site, true);
	return known;
}

static expr_id part(struct machine *m, expr_id e, enum expr_op op, uint64_t by)
{
	return e ? expr_binary(m->pool, op, e, expr_const(m->pool, 64, by)) : EXPR_NONE;
}

static enum library_result clock_gettime_model(struct machine *m, struct library_call *k)
{
	uint64_t to = library_arg(m, k, 1), now;
	expr_id e;

	(void)read_clock(m, k, &now, &e);
	(void)mem_store(k->t->space, to, 8, now / NS, part(m, e, EXPR_UDIV, NS));
	(void)mem_store(k->t->space, to + 8, 8, now % NS, part(m, e, EXPR_UREM, NS));
	return library_return(k, 0);
}

static enum library_result timespec_get_model(struct machine *m, struct library_call *k)
{
	k->arg[2] = library_arg(m, k, 1);
	k->arg[1] = library_arg(m, k, 0);
	(void)clock_gettime_model(m, k);
	return library_return(k, k->arg[2]);
}

static enum library_result gettimeofday_model(struct machine *m, struct library_call *k)
{
	uint64_t to = library_arg(m, k, 0), now;
	expr_id e;

	(void)read_clock(m, k, &now, &e);
	(void)mem_store(k->t->space, to, 8, now / NS, part(m, e, EXPR_UDIV, NS));
	(void)mem_store(k->t->space, to + 8, 8, now % NS / 1000,
			part(m, part(m, e, EXPR_UREM, NS), EXPR_UDIV, 1000));
	return library_return(k, 0);
}

static enum library_result time_model(struct machine *m, struct library_call *k)
{
	uint64_t to = library_arg(m, k, 0), now;
	expr_id e;

	(void)read_clock(m, k, &now, &e);
	e = part(m, e, EXPR_UDIV, NS);
	if (to)
		(void)mem_store(k->t->space, to, 8, now / NS, e);
	k->result = now / NS;
	k->result_expr = e;
	return LIBRARY_DONE;
}

/* Nanoseconds as the clocks of C++ want them. */
static enum library_result chrono_now(struct machine *m, struct library_call *k)
{
	(void)read_clock(m, k, &k->result, &k->result_expr);
	return LIBRARY_DONE;
}

/* Whether it did only the source knows: time may have gone by meanwhile. */
void library_time_passed(struct machine *m, struct library_call *k, uint32_t site)
{
	uint64_t passed = 1;

	if (!k->t->controlled)
		return;
	(void)library_outcome(m, k, EVENT_SLEEP, 0, &passed);
	if (passed)
		use_cell(m, k, threads_hidden_cell(HIDDEN_CLOCK_KIND, 0), site, false);
}

static enum library_result nap(struct machine *m, struct library_call *k, uint64_t ns)
{
	uint32_t site = library_take_site(k);

	if (k->t->controlled)
		machine_event(m, k->t, EVENT_SLEEP, site, 0, ns, 0);
	library_time_passed(m, k, site);
	return library_return(k, 0);
}

static enum library_result usleep_model(struct machine *m, struct library_call *k)
{
	return nap(m, k, (library_arg(m, k, 0) & 0xffffffff) * 1000);
}

static enum library_result sleep_model(struct machine *m, struct library_call *k)
{
	return nap(m, k, (library_arg(m, k, 0) & 0xffffffff) * NS);
}

static enum library_result nanosleep_model(struct machine *m, struct library_call *k)
{
	uint64_t at = library_arg(m, k, strcmp(k->f->name, "clock_nanosleep") ? 0 : 2);
	uint64_t s = library_word(m, k, at, 8), ns = library_word(m, k, at + 8, 8);

	return nap(m, k, s * NS + ns);
}

/* ---- random numbers ---- */

static struct random_data *generator(struct machine *m)
{
	if (!m->random.state)
		initstate_r(1, m->random_state, sizeof(m->random_state), &m->random);
	return &m->random;
}

static enum library_result random_model(struct machine *m, struct library_call *k)
{
	uint32_t site = library_take_site(k);
	int32_t value = 0;

	if (k->t->controlled) {
		machine_event(m, k->t, EVENT_RANDOM, site, 0, 0, 0);
		use_cell(m, k, threads_hidden_cell(HIDDEN_RANDOM_KIND, 1), site, true);
	}
	/* The order in which threads ask decides: known only when there is one order. */
	if (!m->one_space) {
		struct symex_question q = {.ask = SYMEX_ASK_INPUT,
					   .site = site,
					   .function = k->f->name,
					   .args = k->arg};

		if (machine_ask(m, k->t, &q, &k->result) == SYMEX_ANSWER_IS)
			return LIBRARY_DONE;
		if (m->threads.count > 1) {
			machine_note(m, k->t, k->f->name, site);
			k->result_expr = machine_unknown(m, k->t, 31);
			return LIBRARY_DONE;
		}
	}
	random_r(generator(m), &value);
	return library_return(k, (uint64_t)value);
}

static enum library_result srandom_model(struct machine *m, struct library_call *k)
{
	uint32_t site = library_take_site(k);

	if (k->t->controlled) {
		machine_event(m, k->t, EVENT_RANDOM, site, 0, 0, 0);
		use_cell(m, k, threads_hidden_cell(HIDDEN_RANDOM_KIND, 1), site, false);
	}
	if (!k->expr[0] || m->values)
		srandom_r((unsigned)library_arg(m, k, 0), generator(m));
	return LIBRARY_DONE;
}

static enum library_result rand_r_model(struct machine *m, struct library_call *k)
{
	uint64_t at = library_arg(m, k, 0);
	unsigned seed = (unsigned)library_word(m, k, at, 4);
	int value = rand_r(&seed);

	(void)library_take_site(k);
	library_put(m, k, at, &seed, 4);
	return library_return(k, (uint64_t)value);
}

/* ---- the process ---- */

static enum library_result errno_location(struct machine *m, struct library_call *k)
{
	return library_return(k,
			      ADDR_TLS + ((uint64_t)k->t->tid << ADDR_THREAD_SHIFT) + ADDR_ERRNO);
}

static enum library_result getenv_model(struct machine *m, struct library_call *k)
{
	char *name = library_string(m, k, library_arg(m, k, 0)), *entry;
	uint64_t at, found = 0;
	size_t n = strlen(name);
	bool known = !m->values ||
		     (m->values->variable && m->values->variable(m->values->arg, name, &found));

	(void)library_take_site(k);
	if (!known)
		machine_end(m, k->t, SYMEX_END_UNKNOWN, k->t->last_site,
			    "the environment decides here (%s)", name);
	if (m->values) {
		free(name);
		return known ? library_return(k, found) : LIBRARY_END;
	}
	for (uint64_t i = 0; !found && (at = library_word(m, k, m->main_args[2] + 8 * i, 8)); i++) {
		entry = library_string(m, k, at);
		if (!strncmp(entry, name, n) && entry[n] == '=')
			found = at + n + 1;
		free(entry);
	}
	free(name);
	return library_return(k, found);
}

static enum library_result getpid_model(struct machine *m, struct library_call *k)
{
	(void)library_take_site(k);
	k->result_expr = machine_unknown(m, k->t, 31);
	return LIBRARY_DONE;
}

/* ---- hints for remembered schedules ---- */

static enum library_result hint(struct machine *m, struct library_call *k)
{
	(void)m;
	(void)library_take_site(k);
	return LIBRARY_DONE;
}

/* On the caller's word the bytes are what they are. */
static enum library_result concrete(struct machine *m, struct library_call *k)
{
	uint64_t at = library_arg(m, k, 0), n = library_amount(m, k, 1), value;
	expr_value known;
	expr_id e;

	(void)library_take_site(k);
	for (uint64_t i = 0; m->values && i < n; i++) {
		if (!mem_load(k->t->space, at + i, 1, &value, &e) || !e)
			continue;
		if (!machine_value(m, k->t, e, k->t->last_site, &known))
			return LIBRARY_END;
		(void)mem_store(k->t->space, at + i, 1, (uint64_t)known, EXPR_NONE);
	}
	return LIBRARY_DONE;
}

/* ---- jumps ---- */

static enum library_result setjmp_model(struct machine *m, struct library_call *k)
{
	struct machine_jump j = {.thread = k->t->tid};
	uint64_t number = m->jumps.count + 1;

	if (!k->t->frames.count || !k->c) {
		machine_end(m, k->t, SYMEX_END_UNKNOWN, k->t->last_site, "setjmp by address");
		return LIBRARY_END;
	}
	j.frames = k->t->frames.count;
	j.pc = vec_last(&k->t->frames).pc;
	j.slot = vec_last(&k->t->frames).base + k->c->result;
	vec_push(&m->jumps, j);
	library_put(m, k, library_arg(m, k, 0), &number, 8);
	return library_return(k, 0);
}

static enum library_result longjmp_model(struct machine *m, struct library_call *k)
{
	uint64_t number = library_word(m, k, library_arg(m, k, 0), 8);
	uint64_t value = library_arg(m, k, 1) & 0xffffffff;
	struct machine_thread *t = k->t;
	struct machine_jump j;

	if (!number || number > m->jumps.count) {
		machine_end(m, t, SYMEX_END_UNKNOWN, t->last_site, "longjmp to nowhere");
		return LIBRARY_END;
	}
	j = m->jumps.items[number - 1];
	if (j.thread != t->tid || j.frames > t->frames.count) {
		machine_end(m, t, SYMEX_END_UNKNOWN, t->last_site,
			    "longjmp to a frame that is gone");
		return LIBRARY_END;
	}
	while (t->frames.count > j.frames) {
		struct machine_frame f = vec_pop(&t->frames);

		t->sp = f.sp;
		t->locals.count = f.locals;
	}
	while (t->models.count > vec_last(&t->frames).model)
		free(vec_pop(&t->models).data);
	vec_last(&t->frames).pc = j.pc;
	t->regs[j.slot] = value ? value : 1;
	t->exprs[j.slot] = EXPR_NONE;
	return LIBRARY_END;
}

static enum library_result nothing(struct machine *m, struct library_call *k)
{
	(void)library_take_site(k);
	return library_return(k, 0);
}

static enum library_result one(struct machine *m, struct library_call *k)
{
	(void)library_take_site(k);
	return library_return(k, 1);
}

/* What the test library of heddle marks. */
static enum library_result atomic_begin(struct machine *m, struct library_call *k)
{
	uint32_t site = library_take_site(k);

	if (k->t->controlled)
		machine_event(m, k->t, EVENT_ATOMIC_BEGIN, site, library_arg(m, k, 0), 0, 0);
	return LIBRARY_DONE;
}

static enum library_result atomic_end(struct machine *m, struct library_call *k)
{
	uint32_t site = library_take_site(k);

	if (k->t->controlled)
		machine_event(m, k->t, EVENT_ATOMIC_END, site, 0, 0, 0);
	return LIBRARY_DONE;
}

const struct library_row library_system[] = {
	{"heddle_symbolic", hint},
	{"heddle_task_begin", hint},
	{"heddle_task_end", hint},
	{"heddle_schedule_ignore", hint},
	{"heddle_concrete", concrete},
	{"clock_gettime", clock_gettime_model},
	{"timespec_get", timespec_get_model},
	{"gettimeofday", gettimeofday_model},
	{"time", time_model},
	{"_ZNSt6chrono3_V212steady_clock3nowEv", chrono_now},
	{"_ZNSt6chrono3_V212system_clock3nowEv", chrono_now},
	{"usleep", usleep_model},
	{"sleep", sleep_model},
	{"nanosleep", nanosleep_model},
	{"clock_nanosleep", nanosleep_model},
	{"thrd_sleep", nanosleep_model},
	{"rand", random_model},
	{"random", random_model},
	{"srand", srandom_model},
	{"srandom", srandom_model},
	{"rand_r", rand_r_model},
	{"__errno_location", errno_location},
	{"getenv", getenv_model},
	{"secure_getenv", getenv_model},
	{"getpid", getpid_model},
	{"setjmp", setjmp_model},
	{"_setjmp", setjmp_model},
	{"__sigsetjmp", setjmp_model},
	{"longjmp", longjmp_model},
	{"_longjmp", longjmp_model},
	{"siglongjmp", longjmp_model},
	{"alarm", nothing},
	{"signal", nothing},
	{"setlocale", nothing},
	{"pthread_attr_init", nothing},
	{"pthread_attr_destroy", nothing},
	{"pthread_attr_setstacksize", nothing},
	{"pthread_attr_setdetachstate", nothing},
	{"pthread_setname_np", nothing},
	{"pthread_setcancelstate", nothing},
	{"pthread_setcanceltype", nothing},
	{"pthread_testcancel", nothing},
	{"pthread_setconcurrency", nothing},
	{"__libc_single_threaded", one},
	{"heddle_marker_atomic_begin", atomic_begin},
	{"heddle_marker_atomic_end", atomic_end},
	{NULL, NULL},
};
