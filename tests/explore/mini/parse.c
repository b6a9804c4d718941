#include "mini.h"

#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct label {
	char name[12];
	int at; /* -1 until seen */
};

struct parser {
	struct mini_program *p;
	const char *text, *at;
	char word[12]; /* of the identifier read last */
	unsigned thread;
	char locals[MINI_LOCALS][12];
	unsigned local_count;
	struct label labels[16];
	unsigned label_count;
	VEC(int) breaks; /* jumps to patch at the end of the innermost loop */
	char *message;
	size_t bytes;
	jmp_buf fail;
};

static void expression(struct parser *s);
static void statement(struct parser *s);

static void __attribute__((noreturn, format(printf, 2, 3)))
bad(struct parser *s, const char *f, ...)
{
	int n = snprintf(s->message, s->bytes, "at \"%.20s\": ", s->at);
	va_list args;

	va_start(args, f);
	if (n >= 0 && (size_t)n < s->bytes)
		vsnprintf(s->message + n, s->bytes - (size_t)n, f, args);
	va_end(args);
	longjmp(s->fail, 1);
}

static void blanks(struct parser *s)
{
	while (isspace((unsigned char)*s->at))
		s->at++;
}

static bool accept(struct parser *s, const char *token)
{
	size_t n = strlen(token);

	blanks(s);
	if (strncmp(s->at, token, n))
		return false;
	if (isalpha((unsigned char)token[0]) &&
	    (isalnum((unsigned char)s->at[n]) || s->at[n] == '_'))
		return false;
	s->at += n;
	return true;
}

static void expect(struct parser *s, const char *token)
{
	if (!accept(s, token))
		bad(s, "%s expected", token);
}

static void identifier(struct parser *s)
{
	size_t n = 0;

	blanks(s);
	if (!isalpha((unsigned char)*s->at) && *s->at != '_')
		bad(s, "name expected");
	while (isalnum((unsigned char)*s->at) || *s->at == '_') {
		if (n + 1 >= sizeof(s->word))
			bad(s, "name too long");
		s->word[n++] = *s->at++;
	}
	s->word[n] = 0;
}

static int number(struct parser *s)
{
	char *end;
	long v = strtol(s->at, &end, 10);

	if (end == s->at)
		bad(s, "number expected");
	s->at = end;
	return (int)v;
}

static int emit(struct parser *s, enum mini_code code, int arg)
{
	struct mini_instr i = {.code = (uint8_t)code, .arg = arg};

	vec_push(&s->p->code[s->thread], i);
	return (int)s->p->code[s->thread].count - 1;
}

static void emit_access(struct parser *s, enum mini_code code, int var, bool indexed)
{
	int at = emit(s, code, var);

	s->p->code[s->thread].items[at].indexed = indexed;
}

static int here(struct parser *s)
{
	return (int)s->p->code[s->thread].count;
}

static void patch(struct parser *s, int at)
{
	s->p->code[s->thread].items[at].arg = here(s);
}

static int find_var(struct parser *s, const char *name)
{
	for (unsigned i = 0; i < s->p->vars; i++) {
		if (s->p->sizes[i] && !strcmp(s->p->var_names[i], name))
			return (int)i;
	}
	return -1;
}

static int local(struct parser *s, const char *name)
{
	for (unsigned i = 0; i < s->local_count; i++) {
		if (!strcmp(s->locals[i], name))
			return (int)i;
	}
	if (s->local_count == MINI_LOCALS)
		bad(s, "too many locals");
	strcpy(s->locals[s->local_count], name);
	return (int)s->local_count++;
}

static int lock_number(struct parser *s)
{
	struct mini_program *p = s->p;

	expect(s, "(");
	identifier(s);
	expect(s, ")");
	for (unsigned i = 0; i < p->locks; i++) {
		if (!strcmp(p->lock_names[i], s->word))
			return (int)i;
	}
	if (p->locks == MINI_LOCKS)
		bad(s, "too many locks");
	strcpy(p->lock_names[p->locks], s->word);
	return (int)p->locks++;
}

/* [index] when v is an array; returns whether an index is on the stack. */
static bool subscript(struct parser *s, int v)
{
	if (s->p->sizes[v] == 1)
		return false;
	expect(s, "[");
	expression(s);
	expect(s, "]");
	return true;
}

static void rmw(struct parser *s, enum mini_code code, int operands)
{
	bool indexed;
	int v;

	expect(s, "(");
	identifier(s);
	v = find_var(s, s->word);
	if (v < 0)
		bad(s, "%s is not shared", s->word);
	indexed = subscript(s, v);
	for (int i = 0; i < operands; i++) {
		expect(s, ",");
		expression(s);
	}
	expect(s, ")");
	emit_access(s, code, v, indexed);
}

static void named(struct parser *s)
{
	int v;

	identifier(s);
	v = find_var(s, s->word);
	if (v >= 0) {
		bool indexed = subscript(s, v);

		emit_access(s, MINI_READ, v, indexed);
		return;
	}
	v = local(s, s->word);
	emit(s, accept(s, "++") ? MINI_INC : MINI_LOCAL, v);
}

static void primary(struct parser *s)
{
	blanks(s);
	if (isdigit((unsigned char)*s->at)) {
		emit(s, MINI_PUSH, number(s));
	} else if (accept(s, "(")) {
		expression(s);
		expect(s, ")");
	} else if (accept(s, "!")) {
		primary(s);
		emit(s, MINI_NOT, 0);
	} else if (accept(s, "-")) {
		emit(s, MINI_PUSH, 0);
		primary(s);
		emit(s, MINI_SUB, 0);
	} else if (accept(s, "add")) {
		rmw(s, MINI_FETCH_ADD, 1);
	} else if (accept(s, "xchg")) {
		rmw(s, MINI_XCHG, 1);
	} else if (accept(s, "cas")) {
		rmw(s, MINI_CAS, 2);
	} else {
		named(s);
	}
}

static void product(struct parser *s)
{
	primary(s);
	while (accept(s, "*")) {
		primary(s);
		emit(s, MINI_MUL, 0);
	}
}

static void sum(struct parser *s)
{
	product(s);
	for (;;) {
		enum mini_code code;

		if (accept(s, "+"))
			code = MINI_ADD;
		else if (accept(s, "-"))
			code = MINI_SUB;
		else
			return;
		product(s);
		emit(s, code, 0);
	}
}

static void comparison(struct parser *s)
{
	static const struct {
		const char *token;
		enum mini_code code;
	} ops[] = {{"==", MINI_EQ}, {"!=", MINI_NE}, {"<=", MINI_LE},
		   {">=", MINI_GE}, {"<", MINI_LT},  {">", MINI_GT}};

	sum(s);
	for (unsigned i = 0; i < sizeof(ops) / sizeof(ops[0]); i++) {
		if (accept(s, ops[i].token)) {
			sum(s);
			emit(s, ops[i].code, 0);
			return;
		}
	}
}

static void conjunction(struct parser *s)
{
	comparison(s);
	while (accept(s, "&&")) {
		int no = emit(s, MINI_JZERO, 0), end;

		comparison(s);
		end = emit(s, MINI_JUMP, 0);
		patch(s, no);
		emit(s, MINI_PUSH, 0);
		patch(s, end);
	}
}

static void expression(struct parser *s)
{
	conjunction(s);
	while (accept(s, "||")) {
		int next = emit(s, MINI_JZERO, 0), end;

		emit(s, MINI_PUSH, 1);
		end = emit(s, MINI_JUMP, 0);
		patch(s, next);
		conjunction(s);
		patch(s, end);
	}
}

static struct label *label(struct parser *s, const char *name)
{
	for (unsigned i = 0; i < s->label_count; i++) {
		if (!strcmp(s->labels[i].name, name))
			return &s->labels[i];
	}
	if (s->label_count == 16)
		bad(s, "too many labels");
	strcpy(s->labels[s->label_count].name, name);
	s->labels[s->label_count].at = -1;
	return &s->labels[s->label_count++];
}

static int thread_number(struct parser *s)
{
	int n;

	expect(s, "(");
	n = number(s);
	expect(s, ")");
	if (n < 0 || n >= MINI_THREADS)
		bad(s, "no such thread");
	return n;
}

static void if_statement(struct parser *s)
{
	int no, end;

	expect(s, "(");
	expression(s);
	expect(s, ")");
	no = emit(s, MINI_JZERO, 0);
	statement(s);
	if (accept(s, "else")) {
		end = emit(s, MINI_JUMP, 0);
		patch(s, no);
		statement(s);
		patch(s, end);
	} else {
		patch(s, no);
	}
}

static void while_statement(struct parser *s)
{
	size_t outer = s->breaks.count;
	int top = here(s), no;

	expect(s, "(");
	expression(s);
	expect(s, ")");
	no = emit(s, MINI_JZERO, 0);
	statement(s);
	emit(s, MINI_JUMP, top);
	patch(s, no);
	while (s->breaks.count > outer)
		patch(s, vec_pop(&s->breaks));
}

static void assignment(struct parser *s)
{
	const char *begin = s->at;
	char name[12];
	bool indexed;
	int v;

	identifier(s);
	if (accept(s, ":")) {
		label(s, s->word)->at = here(s);
		return;
	}
	v = find_var(s, s->word);
	if (v < 0) {
		strcpy(name, s->word);
		if (accept(s, "=")) {
			expression(s);
			emit(s, MINI_SET, local(s, name));
		} else {
			s->at = begin;
			expression(s);
			emit(s, MINI_POP, 0);
		}
		expect(s, ";");
		return;
	}
	indexed = subscript(s, v);
	expect(s, "=");
	expression(s);
	expect(s, ";");
	emit_access(s, MINI_WRITE, v, indexed);
}

static void check_statement(struct parser *s, enum mini_code code)
{
	expect(s, "(");
	expression(s);
	expect(s, ")");
	emit(s, code, 0);
}

/* Statements of one word; true when there was one. */
static bool simple_statement(struct parser *s)
{
	if (accept(s, "lock")) {
		emit(s, MINI_LOCK, lock_number(s));
	} else if (accept(s, "unlock")) {
		emit(s, MINI_UNLOCK, lock_number(s));
	} else if (accept(s, "fence")) {
		emit(s, MINI_FENCE, 0);
	} else if (accept(s, "fork")) {
		emit(s, MINI_FORK, thread_number(s));
	} else if (accept(s, "join")) {
		emit(s, MINI_JOIN, thread_number(s));
	} else if (accept(s, "stop")) {
		if (s->p->late[s->thread])
			bad(s, "late threads run to their end");
		emit(s, MINI_STOP, 0);
	} else if (accept(s, "error")) {
		emit(s, MINI_ERROR, 0);
	} else if (accept(s, "break")) {
		vec_push(&s->breaks, emit(s, MINI_JUMP, 0));
	} else if (accept(s, "goto")) {
		identifier(s);
		emit(s, MINI_JUMP, -1 - (int)(label(s, s->word) - s->labels));
	} else if (accept(s, "assert")) {
		check_statement(s, MINI_ASSERT);
	} else if (!s->p->late[s->thread] && accept(s, "assume")) {
		check_statement(s, MINI_ASSUME);
	} else {
		return false;
	}
	expect(s, ";");
	return true;
}

static void statement(struct parser *s)
{
	const char *begin;

	blanks(s);
	begin = s->at;
	if (accept(s, "{")) {
		while (!accept(s, "}"))
			statement(s);
	} else if (accept(s, ";")) {
		return;
	} else if (accept(s, "if")) {
		if_statement(s);
	} else if (accept(s, "while")) {
		while_statement(s);
	} else if (accept(s, "add") || accept(s, "xchg") || accept(s, "cas")) {
		s->at = begin;
		expression(s);
		emit(s, MINI_POP, 0);
		expect(s, ";");
	} else if (!simple_statement(s)) {
		assignment(s);
	}
}

static void declarations(struct parser *s)
{
	struct mini_program *p = s->p;

	do {
		unsigned size = 1, base = p->vars;
		int value = 0;

		identifier(s);
		if (accept(s, "[")) {
			size = (unsigned)number(s);
			expect(s, "]");
		}
		if (accept(s, "="))
			value = number(s);
		if (!size || p->vars + size > MINI_VARS)
			bad(s, "too many variables");
		for (unsigned i = 0; i < size; i++) {
			strcpy(p->var_names[p->vars], s->word);
			p->initial[p->vars] = value;
			p->sizes[p->vars++] = 0;
		}
		p->sizes[base] = size;
	} while (accept(s, ","));
	expect(s, ";");
}

static void thread(struct parser *s, bool late)
{
	if (s->p->threads == MINI_THREADS)
		bad(s, "too many threads");
	s->thread = s->p->threads++;
	s->p->late[s->thread] = late;
	s->local_count = s->label_count = 0;
	blanks(s);
	if (*s->at != '{')
		bad(s, "{ expected");
	statement(s);
	if (late)
		emit(s, MINI_END, 0);
	emit(s, MINI_STOP, 0);
	for (size_t i = 0; i < s->p->code[s->thread].count; i++) {
		struct mini_instr *in = &s->p->code[s->thread].items[i];

		if (in->code != MINI_JUMP || in->arg >= 0)
			continue;
		if (s->labels[-1 - in->arg].at < 0)
			bad(s, "label %s missing", s->labels[-1 - in->arg].name);
		in->arg = s->labels[-1 - in->arg].at;
	}
}

int mini_parse(struct mini_program *p, const char *text, char *message, size_t bytes)
{
	struct parser s = {.p = p, .text = text, .at = text, .message = message, .bytes = bytes};
	int rc = 0;

	memset(p, 0, sizeof(*p));
	if (setjmp(s.fail)) {
		rc = -1;
	} else {
		while (accept(&s, "shared"))
			declarations(&s);
		while (*s.at) {
			bool late = accept(&s, "late");

			if (!accept(&s, "thread"))
				break;
			thread(&s, late);
			blanks(&s);
		}
		blanks(&s);
		if (*s.at)
			bad(&s, "thread expected");
	}
	vec_free(&s.breaks);
	return rc;
}

void mini_free(struct mini_program *p)
{
	for (unsigned t = 0; t < MINI_THREADS; t++)
		vec_free(&p->code[t]);
}
