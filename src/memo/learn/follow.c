#include "memo/learn/follow.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "memo/learn/operations.h"
#include "symex/library/threads.h"
#include "symex/path/run.h"
#include "wire/ctl.h"

#define INSTRUCTIONS_MAX UINT64_C(2000000000)
#define CONDITIONS_MAX 200000
#define LOOKS_MAX 200000 /* of one word, with nothing else done */
#define HIDDEN_RANDOM_KIND 2

/* ---- inputs ---- */

static void name_read(struct follow *f, uint32_t read, struct memo_input in, uint64_t value)
{
	while (f->inputs.count <= read) {
		vec_push(&f->inputs, ((struct memo_input){.kind = MEMO_KINDS}));
		vec_push(&f->given, 0);
	}
	f->inputs.items[read] = in;
	f->given.items[read] = value;
}

uint32_t follow_new_read(struct follow *f)
{
	struct symex_read r = {.part = SYMEX_NONE};

	vec_push(&f->trace.reads, r);
	return (uint32_t)f->trace.reads.count - 1;
}

static void must_hold(struct follow *f, expr_id e)
{
	vec_push(&f->conditions, ((struct follow_condition){e, 0}));
}

static expr_id new_input(struct follow *f, struct memo_input in)
{
	uint64_t value = 0;
	uint32_t read;

	for (uint32_t i = 0; i < f->inputs.count; i++)
		if (memo_input_equal(&f->inputs.items[i], &in))
			return expr_read(f->m->pool, i, in.width);
	if (!memo_input_value(&f->argv, &in, &value))
		return EXPR_NONE;
	read = follow_new_read(f);
	name_read(f, read, in, value);
	return expr_read(f->m->pool, read, in.width);
}

/* The input that the byte at an address is, while all from there on is what was given. */
static bool text_at(struct follow *f, uint64_t address, struct memo_input *byte)
{
	for (size_t i = 0; i < f->texts.count; i++) {
		const struct follow_text *t = &f->texts.items[i];
		uint64_t length = strlen(t->text);

		if (address < t->at || address > t->at + length)
			continue;
		*byte = t->byte;
		/* All of it must be: the program may have written into it. */
		for (uint64_t k = address; k <= t->at + length; k++) {
			struct memo_input in = t->byte;
			uint64_t value;
			expr_id e = EXPR_NONE;

			in.b = (uint32_t)(k - t->at);
			if (!mem_load(&f->m->shared_space, k, 1, &value, &e) ||
			    e != new_input(f, in))
				return false;
		}
		byte->b = (uint32_t)(address - t->at);
		return true;
	}
	return false;
}

/* Its bytes are inputs from now on. */
static void add_text(struct follow *f, struct follow_text t)
{
	uint64_t length = strlen(t.text);

	vec_push(&f->texts, t);
	for (uint64_t b = 0; b <= length; b++) {
		struct memo_input in = t.byte;

		in.b = (uint32_t)b;
		(void)mem_store(&f->m->shared_space, t.at + b, 1, 0, new_input(f, in));
	}
}

static expr_id text(void *arg, const char *function, uint64_t address, int base, unsigned width)
{
	struct follow *f = arg;
	struct memo_input in = {.kind = MEMO_KINDS};
	int number = memo_function_named(function);
	expr_id error;

	if (number < 0 || !text_at(f, address, &in))
		return EXPR_NONE;
	in.kind = in.kind == MEMO_ARG_BYTE ? MEMO_ARG_TEXT : MEMO_ENV_TEXT;
	in.width = (uint8_t)width;
	in.function = (uint8_t)number;
	if (number == MEMO_STRTOL || number == MEMO_STRTOUL)
		in.base = (uint8_t)base;
	if (!memo_input_valid(&in))
		return EXPR_NONE;
	if (number == MEMO_STRTOL || number == MEMO_STRTOUL) {
		struct memo_input failed = in;

		/* The number of the error is left in memory: that it is none has to hold. */
		failed.function = number == MEMO_STRTOL ? MEMO_STRTOL_ERROR : MEMO_STRTOUL_ERROR;
		failed.width = 32;
		error = new_input(f, failed);
		if (f->given.items[expr_get(f->m->pool, error)->read])
			return EXPR_NONE;
		must_hold(f,
			  expr_binary(f->m->pool, EXPR_EQ, error, expr_const(f->m->pool, 32, 0)));
	}
	return new_input(f, in);
}

/* Only getenv() knows where variables lie: whoever goes through all of them is not followed. */
static void hide_environment(struct follow *f)
{
	expr_id unknown = expr_read(f->m->pool, follow_new_read(f), 64), none;
	uint64_t at = f->m->main_args[2], entry = 0;

	for (; mem_load(&f->m->shared_space, at, 8, &entry, &none) && entry; at += 8) {
		vec_push(&f->environment, entry);
		(void)mem_store(&f->m->shared_space, at, 8, 0, unknown);
	}
	(void)mem_store(&f->m->shared_space, at, 8, 0, unknown);
	f->hidden = unknown;
}

/* Nobody has put other entries there. */
static bool is_hidden(struct follow *f)
{
	uint64_t at = f->m->main_args[2], entry;

	for (size_t i = 0; i <= f->environment.count; i++) {
		expr_id e = EXPR_NONE;

		if (!mem_load(&f->m->shared_space, at + 8 * i, 8, &entry, &e) || e != f->hidden)
			return false;
	}
	return true;
}

/* The variable of that name as it lies in memory; the first one counts. */
static bool variable_there(struct follow *f, const char *name, uint64_t *at)
{
	size_t n = strlen(name);

	for (size_t i = 0; i < f->environment.count; i++) {
		const char *entry = f->options.envp[i];

		if (strncmp(entry, name, n) || entry[n] != '=')
			continue;
		*at = f->environment.items[i] + n + 1;
		return true;
	}
	return false;
}

static bool is_text(const struct follow *f, uint64_t at)
{
	for (size_t i = 0; i < f->texts.count; i++)
		if (f->texts.items[i].at == at)
			return true;
	return false;
}

static bool variable(void *arg, const char *name, uint64_t *at)
{
	struct follow *f = arg;
	struct memo_input in = {.kind = MEMO_ENV_SET, .width = 1};
	struct follow_text t = {.byte = {.kind = MEMO_ENV_BYTE, .width = 8}};
	bool there;

	if (!memo_variable_named(name) || !is_hidden(f))
		return false;
	*at = 0;
	memcpy(in.name, name, strlen(name));
	there = variable_there(f, name, at);
	must_hold(f, expr_binary(f->m->pool, EXPR_EQ, new_input(f, in),
				 expr_const(f->m->pool, 1, there)));
	if (!there || is_text(f, *at))
		return true;
	t.at = *at;
	t.text = memo_given_variable(&f->argv, name);
	memcpy(t.byte.name, name, strlen(name));
	add_text(f, t);
	return true;
}

static void begin_inputs(struct follow *f)
{
	uint64_t table = f->m->main_args[1], count = f->m->main_args[0];
	struct memo_input argc = {.kind = MEMO_ARGC, .width = 32};
	expr_id none = EXPR_NONE;

	f->m->symbolic = true;
	hide_environment(f);
	for (uint64_t i = 0; i < count; i++) {
		struct follow_text t = {
			.text = f->argv.argv[i],
			.byte = {.kind = MEMO_ARG_BYTE, .width = 8, .a = (uint32_t)i}};

		(void)mem_load(&f->m->shared_space, table + 8 * i, 8, &t.at, &none);
		add_text(f, t);
	}
	must_hold(f, expr_binary(f->m->pool, EXPR_EQ, new_input(f, argc),
				 expr_const(f->m->pool, 32, count)));
}

/* ---- values ---- */

/* Nodes are younger than their arguments: all up to e are computed in their order. */
static void compute_up_to(struct follow *f, expr_id e)
{
	for (size_t i = f->computed.count; i <= e; i++) {
		const struct expr_node *n = i ? expr_get(f->m->pool, (expr_id)i) : NULL;
		expr_value arg[3] = {0, 0, 0}, value = 0;
		unsigned widths[3] = {0, 0, 0};
		bool known = n != NULL;

		if (n && n->op == EXPR_READ && n->read < f->unknowns.count &&
		    f->unknowns.items[n->read].between) {
			const struct between_unknown *u = &f->unknowns.items[n->read];

			known = !u->was || f->known.items[u->was];
			value = u->was ? f->computed.items[u->was] : u->value;
		} else if (n && n->op == EXPR_READ) {
			known = n->read < f->inputs.count &&
				f->inputs.items[n->read].kind != MEMO_KINDS;
			value = known ? f->given.items[n->read] : 0;
		} else if (n && !expr_is_const(f->m->pool, (expr_id)i, &value)) {
			for (unsigned k = 0; k < memo_arity(n->op); k++) {
				known &= f->known.items[n->arg[k]];
				arg[k] = f->computed.items[n->arg[k]];
				widths[k] = expr_width(f->m->pool, n->arg[k]);
			}
			known &= !(n->op >= EXPR_UDIV && n->op <= EXPR_SREM && !arg[1]);
			if (known)
				value = expr_compute((enum expr_op)n->op, n->width, n->aux, arg,
						     widths);
		}
		vec_push(&f->computed, value);
		vec_push(&f->known, known);
	}
}

static bool value_of(void *arg, expr_id e, expr_value *out)
{
	struct follow *f = arg;

	compute_up_to(f, e);
	*out = f->computed.items[e];
	return f->known.items[e];
}

/* ---- what happened ---- */

void follow_place(const struct follow *f, uint32_t site, char *to, size_t n)
{
	const struct trace_site *s =
		site == SYMEX_NONE ? NULL : trace_sites_find(&f->p->sites, site);

	if (s)
		snprintf(to, n, "%s:%u in %s", s->file, s->line, s->func);
	else
		snprintf(to, n, "an unknown place");
}

static bool is_noted(const struct symex_event *e)
{
	bool hidden = e->aux & EVENT_HIDDEN;

	switch ((enum event_kind)e->kind) {
	case EVENT_READ:
	case EVENT_WRITE:
	case EVENT_RMW:
	case EVENT_CAS_FAIL:
		/* Of what libraries keep for themselves only the generator decides anything. */
		return !hidden || e->addr == threads_hidden_cell(HIDDEN_RANDOM_KIND, 1);
	case EVENT_READ_RANGE:
	case EVENT_WRITE_RANGE:
	case EVENT_FREE:
		return true;
	default:
		return false;
	}
}

/* A thread that reads one word again and again waits for somebody who is followed only later. */
static void count_looks(struct follow *f, const struct follow_access *a)
{
	const struct follow_access *b = &f->looked;
	bool again = !a->write && a->addr == b->addr && a->bytes == b->bytes &&
		     a->thread == b->thread && a->from == b->from && a->to == b->to &&
		     a->site == b->site;

	f->looks = again ? f->looks + 1 : 0;
	f->looked = *a;
}

static void note_access(struct follow *f, const struct symex_event *e, uint32_t to)
{
	bool range = e->kind == EVENT_READ_RANGE || e->kind == EVENT_WRITE_RANGE ||
		     e->kind == EVENT_FREE;
	struct follow_access a = {.addr = e->addr,
				  .bytes = range ? e->value : e->size,
				  .thread = e->thread,
				  .from = f->last.items[e->thread],
				  .to = to,
				  .followed = f->at,
				  .site = e->site,
				  .write = e->kind == EVENT_WRITE || e->kind == EVENT_RMW ||
					   e->kind == EVENT_WRITE_RANGE || e->kind == EVENT_FREE};

	count_looks(f, &a);
	/* Said once is enough. */
	if (a.bytes && !f->looks)
		vec_push(&f->accesses, a);
}

/* Conditions of a thread are taken over as they come. */
static void take_conditions(struct follow *f, struct symex_thread *out)
{
	for (size_t i = 0; i < out->conditions.count; i++)
		vec_push(&f->conditions,
			 ((struct follow_condition){out->conditions.items[i].expr,
						    out->conditions.items[i].between}));
	vec_clear(&out->conditions);
}

static struct machine_thread *thread_of(struct follow *f, uint32_t tid)
{
	while (f->last.count < f->m->threads.count) {
		vec_push(&f->last, 0);
		vec_push(&f->pending, 0);
		vec_push(&f->over, false);
	}
	return tid < f->m->threads.count ? f->m->threads.items[tid] : NULL;
}

/* What the thread has recorded, up to an operation of synchronisation, which is taken from it. */
static bool take_events(struct follow *f, struct symex_thread *out, uint32_t to,
			struct symex_event *sync)
{
	size_t taken = 0;
	bool found = false;

	while (taken < out->events.count && !found) {
		const struct symex_event *e = &out->events.items[taken++];

		if (is_noted(e))
			note_access(f, e, to);
		found = operation_is_sync(e);
		if (found)
			*sync = *e;
	}
	out->events.count -= taken;
	if (out->events.count)
		memmove(out->events.items, out->events.items + taken,
			out->events.count * sizeof(*out->events.items));
	return found;
}

/*
 * The thread goes on to its next operation of synchronisation, which is returned in *out; false
 * when it ends without one or cannot go on.  Accesses until then lie before position `to'.
 */
static bool to_next_sync(struct follow *f, struct machine_thread *t, uint32_t to,
			 struct symex_event *sync)
{
	f->to = to;
	for (;;) {
		struct symex_thread *out = &f->trace.threads.items[t->tid];
		bool found = take_events(f, out, to, sync);

		take_conditions(f, out);
		if (found && t->between) {
			snprintf(f->why, sizeof(f->why), "a harmless branch was none");
			return false;
		}
		if (found || t->state != THREAD_RUNS)
			return found;
		vec_clear(&f->trace.parts);
		machine_step(f->m, t);
		(void)thread_of(f, 0);
		if (f->looks > LOOKS_MAX) {
			snprintf(
				f->why, sizeof(f->why),
				"a thread waits for memory that another one writes only behind its "
				"next operation");
			return false;
		}
		if (f->m->instructions > INSTRUCTIONS_MAX || f->conditions.count > CONDITIONS_MAX) {
			snprintf(f->why, sizeof(f->why), "the run is too long");
			return false;
		}
	}
}

/* ---- the log ---- */

static const struct stable_entry *current(const struct follow *f)
{
	return f->ops.items[f->at - 1];
}

/* How attempts end is what the log says; nobody else is asked anything. */
static enum symex_answer ask(void *arg, const struct symex_question *q, uint64_t *out)
{
	const struct follow *f = arg;

	if (q->ask != SYMEX_ASK_OUTCOME || !f->at || f->at > f->ops.count)
		return SYMEX_ANSWER_NONE;
	switch (q->kind) {
	case EVENT_LOCK_TIMEOUT:
	case EVENT_COND_TIMEOUT:
	case EVENT_SEM_TIMEOUT:
		*out = current(f)->res == ETIMEDOUT;
		return SYMEX_ANSWER_IS;
	default:
		return SYMEX_ANSWER_NONE;
	}
}

static int refuse(struct follow *f, const struct machine_thread *t, struct err *e)
{
	const struct symex_thread *out = t ? &f->trace.threads.items[t->tid] : NULL;
	struct strbuf text = STRBUF_INIT;
	char place[256];

	follow_place(f,
		     out && out->site != SYMEX_NONE ? out->site
		     : t			    ? t->last_site
						    : SYMEX_NONE,
		     place, sizeof(place));
	if (f->at && f->at <= f->ops.count)
		stable_log_text(current(f), &text);
	err_set(e, ERR_UNSUPPORTED, "%s (%s, before operation%s)",
		f->why[0]		? f->why
		: out && out->reason[0] ? out->reason
					: "the run cannot be followed",
		place, text.text ? text.text : " 0");
	strbuf_free(&text);
	return ERR_UNSUPPORTED;
}

static int one_entry(struct follow *f, struct err *e)
{
	const struct stable_entry *entry = current(f);
	struct machine_thread *t = thread_of(f, entry->tid);
	struct symex_event x = {0};
	uint32_t from;

	if (!t || f->over.items[entry->tid]) {
		snprintf(f->why, sizeof(f->why), "thread %u of the log is not there", entry->tid);
		return refuse(f, NULL, e);
	}
	from = f->pending.items[t->tid] ? f->pending.items[t->tid] : f->at;
	if (!memo_is_element(entry->op, entry->res)) {
		f->pending.items[t->tid] = from;
		return 0;
	}
	if (!operation_known(entry)) {
		snprintf(f->why, sizeof(f->why), "%s is not followed",
			 stable_log_op_name(entry->op));
		return refuse(f, t, e);
	}
	if (!to_next_sync(f, t, from, &x))
		return refuse(f, t, e);
	if (!operation_fits(entry, &x)) {
		snprintf(f->why, sizeof(f->why),
			 "the run did something else than its bitcode does");
		return refuse(f, t, e);
	}
	f->last.items[t->tid] = f->at;
	f->pending.items[t->tid] = 0;
	if (operation_leaves(entry) &&
	    (!to_next_sync(f, t, f->at, &x) || x.kind != EVENT_BARRIER_LEAVE))
		return refuse(f, t, e);
	f->over.items[t->tid] = entry->op == STABLE_OP_THREAD_END;
	return 0;
}

/* What a thread still does behind its last operation, until the end of the process. */
static int tails(struct follow *f, struct err *e)
{
	for (uint32_t i = 0; i < f->m->threads.count; i++) {
		struct machine_thread *t = thread_of(f, i);
		struct symex_event x;

		if (f->over.items[i] || t->state != THREAD_RUNS)
			continue;
		if (!to_next_sync(f, t, f->pending.items[i] ? f->pending.items[i] : FOLLOW_END,
				  &x) &&
		    f->trace.threads.items[i].end != SYMEX_END_RETURNED)
			return refuse(f, t, e);
	}
	return 0;
}

static int carry_out(struct follow *f, struct err *e)
{
	struct symex_event x = {0};
	int rc = 0;

	/* The beginning of main is no operation of the schedule. */
	if (!to_next_sync(f, thread_of(f, 0), 1, &x) || x.kind != EVENT_THREAD_BEGIN)
		return refuse(f, thread_of(f, 0), e);
	for (f->at = 1; !rc && f->at <= f->ops.count; f->at++)
		rc = one_entry(f, e);
	if (!rc && f->over.count && !f->over.items[0]) {
		snprintf(f->why, sizeof(f->why), "the log does not go to the end of main");
		rc = refuse(f, thread_of(f, 0), e);
	}
	return rc ? rc : tails(f, e);
}

int follow_run(struct follow *f, bool stands, const char *program, const struct stable_log *log,
	       char *const *argv, char *const *envp, struct err *e)
{
	int rc = symex_program_load(program, &f->p, e);

	if (rc)
		return rc;
	for (size_t i = 0; i < log->op_count; i++)
		if (stands || memo_is_element(log->ops[i]->op, log->ops[i]->res))
			vec_push(&f->ops, log->ops[i]);
	f->stands = stands;
	while (argv[f->argv.argc])
		f->argv.argc++;
	f->argv.argv = argv;
	f->argv.envp = envp;
	f->options = (struct symex_options){.argv = argv, .envp = envp};
	f->options.source = (struct symex_source){.arg = f, .ask = ask};
	f->values = (struct machine_values){.arg = f,
					    .of = value_of,
					    .text = text,
					    .variable = variable,
					    .enter = between_enter,
					    .leave = between_leave};
	f->shapes = shapes_new(f->p);
	f->trace.pool = expr_pool_new();
	f->m = machine_new(f->p, &f->options, &f->trace);
	f->trace.machine = (struct symex_machine *)f->m;
	f->m->one_space = true;
	f->m->values = &f->values;
	machine_begin(f->m);
	begin_inputs(f);
	return carry_out(f, e);
}

void follow_free(struct follow *f)
{
	symex_trace_fini(&f->trace);
	vec_free(&f->inputs);
	vec_free(&f->given);
	vec_free(&f->texts);
	vec_free(&f->environment);
	vec_free(&f->computed);
	vec_free(&f->known);
	vec_free(&f->last);
	vec_free(&f->ops);
	vec_free(&f->pending);
	vec_free(&f->over);
	vec_free(&f->accesses);
	vec_free(&f->conditions);
	for (size_t i = 0; i < f->betweens.count; i++)
		vec_free(&f->betweens.items[i].writes);
	vec_free(&f->betweens);
	vec_free(&f->unknowns);
	shapes_free(f->shapes);
	symex_program_free(f->p);
	memset(f, 0, sizeof(*f));
}
