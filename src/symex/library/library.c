/* Finding models, and what all of them use. */
#include "symex/library/library.h"

#include <stdlib.h>
#include <string.h>

#include "wire/ctl.h"

static const struct library_row *const tables[] = {
	library_hooks,	library_sync,	 library_wait,	    library_threads, library_process,
	library_memory, library_strings, library_text,	    library_system,  library_sort,
	library_atomic, library_cxx,	 library_stdexcept,
};

static const struct {
	const char *name, *effects;
} effects[] = {
#define X(name, effects) {#name, effects},
#include "wire/outside.def"
#undef X
};

/* A row ends with '*' when it is for all names that begin so. */
static bool matches(const char *row, const char *name)
{
	size_t n = strlen(row);

	return row[n - 1] == '*' ? !strncmp(row, name, n - 1) : !strcmp(row, name);
}

static void find_math(struct program_function *f)
{
	char name[64];
	size_t n = strlen(f->name);

	if (n >= sizeof(name))
		return;
	for (unsigned arguments = 1; arguments <= 2; arguments++) {
		strcpy(name, f->name);
		if (expr_function(name, arguments) < 0 && n > 1 && name[n - 1] == 'f')
			name[n - 1] = 0; /* the short form */
		if (expr_function(name, arguments) >= 0) {
			f->math = (uint8_t)arguments;
			return;
		}
	}
}

void library_find(struct program_function *f)
{
	for (size_t t = 0; t < sizeof(tables) / sizeof(tables[0]) && !f->library; t++)
		for (const struct library_row *r = tables[t]; r->name; r++)
			if (matches(r->name, f->name)) {
				f->library = r->call;
				break;
			}
	for (size_t i = 0; i < sizeof(effects) / sizeof(effects[0]); i++)
		if (!strcmp(effects[i].name, f->name))
			f->effects = effects[i].effects;
	if (!f->library)
		find_math(f);
}

uint64_t library_arg(struct machine *m, struct library_call *k, unsigned n)
{
	if (n >= k->count)
		return 0;
	if (k->expr[n]) {
		k->arg[n] = machine_concrete(m, k->t, k->arg[n], k->expr[n],
					     k->site != SYMEX_NONE ? k->site : k->t->last_site);
		if (k->t->state == THREAD_OVER)
			machine_escape(m);
		k->expr[n] = EXPR_NONE;
	}
	return k->arg[n];
}

uint64_t library_amount(struct machine *m, struct library_call *k, unsigned n)
{
	expr_value known = 0;

	if (n >= k->count || !k->expr[n] || !m->values)
		return library_arg(m, k, n);
	if (!machine_value(m, k->t, k->expr[n], k->t->last_site, &known))
		machine_escape(m);
	return (uint64_t)known;
}

uint32_t library_take_site(struct library_call *k)
{
	uint32_t site = k->t->at_site;

	k->t->at_site = SYMEX_NONE;
	return site;
}

enum library_result library_return(struct library_call *k, uint64_t value)
{
	k->result = value;
	k->result_expr = EXPR_NONE;
	return LIBRARY_DONE;
}

static _Noreturn void not_there(struct machine *m, struct library_call *k, uint64_t addr,
				uint64_t bytes)
{
	if (mem_mapped(k->t->space, addr, bytes))
		machine_end(m, k->t, SYMEX_END_UNKNOWN, k->t->last_site,
			    "%s works on bytes that depend on shared memory", k->f->name);
	else
		machine_fail(m, k->t, FAILURE_SIGNAL, k->t->last_site, addr,
			     "%s accesses address 0x%llx", k->f->name, (unsigned long long)addr);
	machine_escape(m);
}

/* Bytes that are expressions become numbers: somebody says which, or the thread ends. */
static bool settle(struct machine *m, struct library_call *k, uint64_t addr, uint64_t bytes)
{
	uint64_t value;
	expr_id e;

	if (!mem_mapped(k->t->space, addr, bytes))
		return false;
	for (uint64_t i = 0; i < bytes; i++) {
		if (!mem_load(k->t->space, addr + i, 1, &value, &e) || !e)
			continue;
		value = machine_concrete(m, k->t, 0, e, k->t->last_site);
		if (k->t->state == THREAD_OVER)
			machine_escape(m);
		(void)mem_store(k->t->space, addr + i, 1, value, EXPR_NONE);
	}
	return true;
}

void library_get(struct machine *m, struct library_call *k, uint64_t addr, void *to, uint64_t bytes)
{
	if (!mem_get(k->t->space, addr, to, bytes) &&
	    (!settle(m, k, addr, bytes) || !mem_get(k->t->space, addr, to, bytes)))
		not_there(m, k, addr, bytes);
}

void library_put(struct machine *m, struct library_call *k, uint64_t addr, const void *from,
		 uint64_t bytes)
{
	if (!mem_put(k->t->space, addr, from, bytes))
		not_there(m, k, addr, bytes);
}

uint64_t library_word(struct machine *m, struct library_call *k, uint64_t addr, uint32_t bytes)
{
	uint64_t value = 0;

	library_get(m, k, addr, &value, bytes);
	return value;
}

char *library_string(struct machine *m, struct library_call *k, uint64_t addr)
{
	VEC(char) text = VEC_INIT;
	char c;

	do {
		library_get(m, k, addr + text.count, &c, 1);
		vec_push(&text, c);
	} while (c);
	return text.items;
}

/* errno lies at the start of the thread's own memory. */
void library_set_errno(struct machine *m, struct library_call *k, int number)
{
	(void)mem_store(k->t->space,
			ADDR_TLS + ((uint64_t)k->t->tid << ADDR_THREAD_SHIFT) + ADDR_ERRNO, 4,
			(uint64_t)(uint32_t)number, EXPR_NONE);
}

bool library_outcome(struct machine *m, struct library_call *k, enum event_kind kind, uint64_t addr,
		     uint64_t *out)
{
	struct symex_question q = {
		.ask = SYMEX_ASK_OUTCOME, .site = k->t->last_site, .addr = addr, .kind = kind};
	uint64_t answer = 0;

	switch (machine_ask(m, k->t, &q, &answer)) {
	case SYMEX_ANSWER_IS:
		*out = answer;
		return true;
	case SYMEX_ANSWER_STOP:
		machine_end(m, k->t, SYMEX_END_STOPPED, k->t->last_site, "the record ends here");
		machine_escape(m);
	default:
		return false;
	}
}

/* A function of mathematics: computed, or a node of the expression. */
static enum library_result call_math(struct machine *m, struct library_call *k)
{
	unsigned width = k->c && k->c->result_width == 32 ? 32 : 64;
	char name[64];
	expr_id arg[3] = {0, 0, 0}, e;
	expr_value value;
	int number;

	strcpy(name, k->f->name);
	if (expr_function(name, k->f->math) < 0)
		name[strlen(name) - 1] = 0;
	number = expr_function(name, k->f->math);
	for (unsigned i = 0; i < k->f->math; i++)
		arg[i] = k->expr[i] ? expr_resize(m->pool, k->expr[i], width, false)
				    : expr_const(m->pool, width, k->arg[i]);
	e = expr_make(m->pool, k->f->math == 1 ? EXPR_FUN1 : EXPR_FUN2, width, (uint16_t)number,
		      arg);
	if (expr_is_const(m->pool, e, &value))
		return library_return(k, (uint64_t)value);
	k->result_expr = e;
	return LIBRARY_DONE;
}

enum library_result library_outside(struct machine *m, struct library_call *k)
{
	struct symex_question q = {.ask = SYMEX_ASK_INPUT,
				   .site = k->t->last_site,
				   .function = k->f->name,
				   .args = k->arg};
	uint64_t out = 0;

	if (k->f->math)
		return call_math(m, k);
	(void)library_take_site(k);
	switch (machine_ask(m, k->t, &q, &out)) {
	case SYMEX_ANSWER_IS:
		return library_return(k, out);
	case SYMEX_ANSWER_STOP:
		machine_end(m, k->t, SYMEX_END_STOPPED, k->t->last_site, "the record ends here");
		return LIBRARY_END;
	default:
		break;
	}
	if (m->one_space || !k->t->controlled) {
		machine_end(m, k->t, SYMEX_END_UNKNOWN, k->t->last_site, "no model of %s",
			    k->f->name);
		return LIBRARY_END;
	}
	/* A function that writes somewhere nobody told of cannot be gone past. */
	if (!k->f->effects || strpbrk(k->f->effects, "wTxqcC")) {
		machine_end(m, k->t, SYMEX_END_UNKNOWN, k->t->last_site,
			    "%s is not modelled and what it writes is not known", k->f->name);
		return LIBRARY_END;
	}
	machine_note(m, k->t, k->f->name, k->t->last_site);
	if (k->c && k->c->result_words == 1)
		k->result_expr = machine_unknown(m, k->t, k->c->result_width);
	return LIBRARY_DONE;
}
