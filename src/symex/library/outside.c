/*
 * The effects of library functions as events: what heddle_hook_outside and heddle_hook_outside_done
 * record around a call.  The language of effects is in wire/outside.h.
 */
#include <stdlib.h>
#include <string.h>

#include "symex/library/format.h"
#include "symex/library/library.h"
#include "symex/library/outside.h"
#include "symex/library/threads.h"
#include "wire/outside_length.h"

#define PAGE OUTSIDE_FIRST_PAGE
#define NO_LIMIT OUTSIDE_NO_LIMIT
#define HIDDEN_FILE_KIND 5
#define HIDDEN_LIBRARY_KIND 6
#define HIDDEN_CLOSED_KIND 9
#define STRING_BYTES 32

struct outside {
	struct machine *m;
	struct library_call *k;
	const char *effects;
	uint64_t args[OUTSIDE_ARGS + OUTSIDE_SCRATCH];
	expr_id exprs[OUTSIDE_ARGS];
	uint32_t count;
	uint64_t at; /* of the arguments in the program's memory */
	int64_t result;
	bool after;
};

/* Only what is asked for has to be known. */
static uint64_t arg(struct outside *x, unsigned n)
{
	if (n >= x->count || n >= OUTSIDE_ARGS)
		return 0;
	if (x->exprs[n]) {
		x->args[n] = machine_concrete(x->m, x->k->t, 0, x->exprs[n], x->k->site);
		x->exprs[n] = EXPR_NONE;
		if (x->k->t->state == THREAD_OVER)
			machine_escape(x->m);
	}
	return x->args[n];
}

/*
 * A byte that decides how long something is, looked at before it counts as read.  Of shared memory
 * the thread's own view says nothing about it.
 */
static uint8_t byte_at(struct outside *x, uint64_t addr)
{
	if (machine_shared(x->m, x->k->t, addr, 1, false)) {
		machine_end(x->m, x->k->t, SYMEX_END_UNKNOWN, x->k->site,
			    "how much a library function reads is decided by shared memory");
		machine_escape(x->m);
	}
	/* How much is read does not bind other runs; what becomes of it may. */
	if (x->m->values) {
		uint64_t value = 0;
		expr_value known = 0;
		expr_id e = EXPR_NONE;

		if (mem_load(x->k->t->space, addr, 1, &value, &e) && e) {
			if (!machine_value(x->m, x->k->t, e, x->k->site, &known))
				machine_escape(x->m);
			return (uint8_t)known;
		}
	}
	return (uint8_t)library_word(x->m, x->k, addr, 1);
}

static bool check(struct outside *x, uint64_t addr, uint64_t bytes, bool write)
{
	if (!machine_check(x->m, x->k->t, addr, bytes, x->k->site, write))
		machine_escape(x->m);
	return true;
}

static void touches(struct outside *x, uint64_t addr, uint64_t bytes, uint32_t flags, bool write)
{
	struct symex_event *e;

	if (addr < PAGE || !bytes)
		return;
	(void)check(x, addr, bytes, write);
	e = machine_event(x->m, x->k->t, write ? EVENT_WRITE_RANGE : EVENT_READ_RANGE, x->k->site,
			  addr, bytes, EVENT_GLUED | flags);
	if (write)
		access_write_range(x->m, x->k->t, e, addr, bytes);
	else
		access_read_range(x->m, x->k->t, e, addr, bytes);
}

static uint64_t string_length(struct outside *x, uint64_t addr, uint64_t limit)
{
	const struct machine_block *b = machine_block_at(x->m, addr);
	uint64_t n = 0, room = limit;

	if (addr < PAGE || !limit)
		return 0;
	if (b && !b->freed && b->base + b->bytes - addr < room)
		room = b->base + b->bytes - addr;
	while (n < room && byte_at(x, addr + n))
		n++;
	if (n < room)
		return n + 1;
	if (room < limit)
		(void)check(x, addr, room + 1, false);
	return n;
}

static void reads_string(struct outside *x, uint64_t addr, uint64_t limit)
{
	uint32_t flags = EVENT_STRING;

	if (limit < EVENT_LIMIT_MAX)
		flags |= (uint32_t)limit << 12;
	touches(x, addr, string_length(x, addr, limit), flags, false);
}

static uint64_t view_arg(void *call, unsigned n)
{
	return arg(call, n);
}

static uint8_t view_byte(void *call, uint64_t addr)
{
	return byte_at(call, addr);
}

static uint64_t view_word(void *call, uint64_t addr)
{
	struct outside *x = call;

	return library_word(x->m, x->k, addr, 4);
}

static uint64_t view_string(void *call, uint64_t addr, uint64_t limit)
{
	return string_length(call, addr, limit);
}

static void view_reads(void *call, uint64_t addr, uint64_t bytes)
{
	touches(call, addr, bytes, 0, false);
}

static void view_reads_string(void *call, uint64_t addr, uint64_t limit)
{
	reads_string(call, addr, limit);
}

static struct outside_view view_of(struct outside *x)
{
	return (struct outside_view){x,		x->result,   view_arg,	 view_byte,
				     view_word, view_string, view_reads, view_reads_string};
}

static uint64_t length(struct outside *x, const char *at, uint64_t addr)
{
	struct outside_view v = view_of(x);

	return outside_length(&v, at, addr);
}

static void read_word(struct outside *x, const char *word)
{
	struct outside_view v = view_of(x);

	outside_read_word(&v, word);
}

/* Where it will write, kept behind the arguments until the call is over. */
static void save_write(struct outside *x, const char *word, uint32_t index)
{
	bool behind = word[1] == '+';
	const char *len = strchr(word, ':') + 1;
	uint64_t at, n = 0;

	if (index >= OUTSIDE_SCRATCH / 2 || word[1] == 'R')
		return;
	at = arg(x, outside_digit(word[behind ? 2 : 1]));
	if (at >= PAGE && behind) {
		n = string_length(x, at, NO_LIMIT);
		at += n ? n - 1 : 0;
	}
	n = at >= PAGE && outside_known_before(len) ? length(x, len, at) : 0;
	if (n)
		(void)check(x, at, n, true);
	(void)mem_store(x->k->t->space, x->at + 8 * (x->count + 2 * index), 8, at, EXPR_NONE);
	(void)mem_store(x->k->t->space, x->at + 8 * (x->count + 2 * index + 1), 8, n, EXPR_NONE);
}

static void write_word(struct outside *x, const char *word, uint32_t index)
{
	const char *len = strchr(word, ':') + 1;
	uint64_t addr, bytes, saved = 0;

	if (word[1] == 'R') {
		addr = (uint64_t)x->result;
	} else {
		if (index >= OUTSIDE_SCRATCH / 2)
			return;
		addr = library_word(x->m, x->k, x->at + 8 * (x->count + 2 * index), 8);
		saved = library_word(x->m, x->k, x->at + 8 * (x->count + 2 * index + 1), 8);
	}
	if (addr < PAGE)
		return;
	bytes = word[1] != 'R' && outside_known_before(len) ? saved : length(x, len, addr);
	if (*len != 'k') {
		touches(x, addr, bytes, 0, true);
		return;
	}
	for (uint64_t at = OUTSIDE_REVENTS; at < bytes; at += OUTSIDE_POLLFD)
		touches(x, addr + at, OUTSIDE_REVENTS_BYTES, 0, true);
}

static void string_object(struct outside *x, uint64_t addr, bool write)
{
	uint64_t chars;

	if (addr < PAGE)
		return;
	touches(x, addr, STRING_BYTES, 0, write);
	chars = library_word(x->m, x->k, addr, 8);
	if (chars - addr >= STRING_BYTES)
		touches(x, chars, library_word(x->m, x->k, addr + 8, 8) + 1, 0, write);
}

static void print_format(struct outside *x, unsigned format, bool list)
{
	uint64_t at = arg(x, format);
	struct format_source s;
	char *text;
	const char *p;

	if (!at)
		return;
	if (!x->after)
		reads_string(x, at, NO_LIMIT);
	text = library_string(x->m, x->k, at);
	p = text;
	if (list)
		format_open_list(&s, x->m, x->k, arg(x, format + 1));
	else
		format_open_words(&s, x->m, x->k, x->args, format + 1, x->count);
	for (;;) {
		struct format_conversion c = format_next(&p, &s);
		uint64_t word;

		if (!c.kind)
			break;
		if (c.kind == '%' || c.kind == 'm')
			continue;
		if (strchr("eEfFgGaA", c.kind)) {
			if (c.size[0] == 'L')
				(void)format_long_double(&s);
			else
				(void)format_word(&s, true);
			continue;
		}
		word = format_word(&s, false);
		if (!list && (c.kind == 'n' || c.kind == 's'))
			word = arg(x, s.next - 1);
		if (c.kind == 'n' && x->after)
			touches(x, word, c.size[0] == 'h' ? 2 : c.size[0] ? 8 : 4, 0, true);
		if (c.kind == 's' && c.size[0] != 'l' && !x->after)
			reads_string(x, word, c.precision >= 0 ? (uint64_t)c.precision : NO_LIMIT);
	}
	free(text);
}

/* ---- state of the library ---- */

static const char *next_word(const char *word)
{
	while (*word && *word != ' ')
		word++;
	while (*word == ' ')
		word++;
	return word;
}

static bool has_word(const char *effects, char c)
{
	for (const char *w = effects; *w; w = next_word(w))
		if (*w == c)
			return true;
	return false;
}

static uint64_t hash_name(const char *name)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);

	for (; *name && *name != ' '; name++)
		h = (h ^ (unsigned char)*name) * UINT64_C(0x100000001b3);
	return h;
}

/* how: 'h' changes and observes it, 'H' only changes, 'g' only observes. */
static void use_state(struct machine *m, struct machine_thread *t, uint64_t cell, char how,
		      uint32_t site)
{
	const uint32_t flags = ORDER_SEQ_CST | EVENT_GLUED | EVENT_HIDDEN;
	struct symex_event *e;

	e = machine_event(m, t, EVENT_READ, site, cell, 0, flags | (how == 'H' ? EVENT_BLIND : 0));
	e->size = 8;
	if (how == 'g')
		return;
	e = machine_event(m, t, EVENT_WRITE, site, cell, 0, flags);
	e->size = 8;
}

/* As the guest has it: who uses a stream gets to know that it was not closed. */
static void use_stream(struct outside *x, uint64_t stream)
{
	if (stream >= PAGE)
		use_state(x->m, x->k->t, threads_hidden_cell(HIDDEN_CLOSED_KIND, stream),
			  has_word(x->effects, 'e') ? 'h' : 'g', x->k->site);
}

/*
 * As the guest has it: the variable `environ' and the pointers it points to.  The variable is known by
 * its hidden name, whoever has the copy that counts; strings that the kernel put there never change.
 */
static void reads_environment(struct outside *x)
{
	uint64_t slots = x->m->main_args[2], n = 0;

	use_state(x->m, x->k->t, threads_hidden_cell(HIDDEN_LIBRARY_KIND, hash_name("environ")), 'g',
		  x->k->site);
	/* Whoever knows variables by their names has hidden where they are. */
	if (x->m->values)
		return;
	while (library_word(x->m, x->k, slots + 8 * n, 8))
		n++;
	touches(x, slots, 8 * (n + 1), 0, false);
}

static void state_word(struct outside *x, const char *word)
{
	bool named = word[1] == ':', stream = named && !strncmp(word + 2, "std", 3);
	uint64_t cell =
		threads_hidden_cell(named && !stream ? HIDDEN_LIBRARY_KIND : HIDDEN_FILE_KIND,
				    named ? hash_name(word + 2) : arg(x, outside_digit(word[1])));

	if (!named && word[1] != '^' && word[1] != '~')
		use_stream(x, arg(x, outside_digit(word[1])));
	use_state(x->m, x->k->t, cell, word[0], x->k->site);
}

/* ---- the call ---- */

static bool open_call(struct machine *m, struct library_call *k, struct outside *x)
{
	const struct program_function *f = program_function_at(m->p, library_arg(m, k, 0));
	bool direct = library_arg(m, k, 1) != 0;

	if (!k->t->controlled || !f || f->value || !f->effects || !*f->effects)
		return false;
	if (!direct && has_word(f->effects, '@'))
		return false;
	*x = (struct outside){.m = m, .k = k, .effects = f->effects};
	x->at = library_arg(m, k, 2);
	x->count = (uint32_t)library_arg(m, k, 3);
	for (uint32_t i = 0; i < x->count && i < OUTSIDE_ARGS; i++)
		(void)mem_load(k->t->space, x->at + 8 * i, 8, &x->args[i], &x->exprs[i]);
	return true;
}

static bool has_state(const char *effects)
{
	return has_word(effects, 'h') || has_word(effects, 'H') || has_word(effects, 'g');
}

static void stand_at(struct machine *m, struct machine_thread *t, uint32_t site, bool reads)
{
	machine_drain(m, t);
	machine_event(m, t, EVENT_OUTSIDE, site, 0, 0, 0);
	if (reads)
		machine_event(m, t, EVENT_IO, site, 0, 0, 1);
}

void outside_use(struct machine *m, struct library_call *k, char how, const char *name,
		 uint32_t site)
{
	stand_at(m, k->t, site, false);
	use_state(m, k->t, threads_hidden_cell(HIDDEN_LIBRARY_KIND, hash_name(name)), how, site);
}

enum library_result outside_begin(struct machine *m, struct library_call *k)
{
	const struct program_function *f = program_function_at(m->p, library_arg(m, k, 0));
	struct outside x;
	uint32_t writes = 0;
	bool modelled;

	if (k->t->controlled && !library_arg(m, k, 1) && f && !f->value && !f->effects) {
		machine_drain(m, k->t);
		k->t->at_site = SYMEX_NONE;
		machine_event(m, k->t, EVENT_CALL, k->site, k->arg[0], 0, 0);
		return LIBRARY_DONE;
	}
	if (!open_call(m, k, &x))
		return LIBRARY_DONE;
	modelled = has_word(x.effects, '@');
	if (!modelled || has_word(x.effects, 'r') || has_state(x.effects))
		stand_at(x.m, x.k->t, x.k->site, has_word(x.effects, 'i'));
	for (const char *w = x.effects; *w; w = next_word(w))
		if (*w == 'r')
			read_word(&x, w);
		else if (*w == 't')
			string_object(&x, arg(&x, outside_digit(w[1])), false);
		else if (*w == 'p' || *w == 'P')
			print_format(&x, outside_digit(w[1]), *w == 'P');
		else if (*w == 'c' || *w == 'C')
			reads_string(&x, arg(&x, outside_digit(w[1])), NO_LIMIT);
	for (const char *w = x.effects; *w; w = next_word(w))
		if (*w == 'w')
			save_write(&x, w, writes++);
	for (const char *w = x.effects; *w; w = next_word(w))
		if (*w == 'h' || *w == 'H' || *w == 'g') {
			state_word(&x, w);
			if (!strncmp(w, "g:environ", 9))
				reads_environment(&x);
		}
	if (!modelled)
		k->t->at_site = has_word(x.effects, 'm') ? k->site : SYMEX_NONE;
	return LIBRARY_DONE;
}

enum library_result outside_end(struct machine *m, struct library_call *k)
{
	struct outside x;
	uint32_t writes = 0;

	if (!open_call(m, k, &x))
		return LIBRARY_DONE;
	x.after = true;
	/* Nothing to tell: its result may well be unknown. */
	if (!strpbrk(x.effects, "wTpPcC"))
		return LIBRARY_DONE;
	/* Of a text that went to a stream nobody knows the length, and nobody needs it. */
	if (m->values && k->expr[4] && !strpbrk(x.effects, "wTzZ"))
		x.result = 0;
	else
		x.result = (int64_t)library_arg(m, k, 4);
	if ((has_word(x.effects, 'z') && x.result != 0) ||
	    (has_word(x.effects, 'Z') && x.result == 0))
		return LIBRARY_DONE;
	for (const char *w = x.effects; *w; w = next_word(w))
		if (*w == 'w')
			write_word(&x, w, writes++);
		else if (*w == 'T')
			string_object(&x, arg(&x, outside_digit(w[1])), true);
		else if (*w == 'p' || *w == 'P')
			print_format(&x, outside_digit(w[1]), *w == 'P');
	return LIBRARY_DONE;
}
