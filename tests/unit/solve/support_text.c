#include "support_text.h"

#include <assert.h>
#include <ctype.h>
#include <stdio.h>

/* ---- expressions ---- */

uint32_t text_expr(struct text_trace *x, enum text_op op, uint32_t a, uint32_t b, uint64_t value)
{
	vec_push(&x->exprs, ((struct text_expr){op, a, b, value}));
	return (uint32_t)x->exprs.count - 1;
}

uint64_t text_eval(const struct text_trace *x, uint32_t expr, const uint64_t *reads)
{
	const struct text_expr *e = &x->exprs.items[expr];
	uint64_t a, b;

	if (e->op == TEXT_NUMBER)
		return e->value;
	if (e->op == TEXT_READ)
		return reads[e->value];
	a = text_eval(x, e->a, reads);
	b = text_eval(x, e->b, reads);
	switch (e->op) {
	case TEXT_ADD:
		return a + b;
	case TEXT_SUB:
		return a - b;
	case TEXT_MUL:
		return a * b;
	case TEXT_EQ:
		return a == b;
	case TEXT_NE:
		return a != b;
	case TEXT_LT:
		return a < b;
	case TEXT_AND:
		return a && b;
	default:
		return a || b;
	}
}

static uint64_t eval(void *arg, uint32_t expr, const uint64_t *reads)
{
	return text_eval(arg, expr, reads);
}

static void collect(struct text_trace *x, uint32_t expr)
{
	struct text_expr e = x->exprs.items[expr];

	if (e.op == TEXT_NUMBER)
		return;
	if (e.op != TEXT_READ) {
		collect(x, e.a);
		collect(x, e.b);
		return;
	}
	for (size_t i = 0; i < x->reads.count; i++)
		if (x->reads.items[i] == e.value)
			return;
	vec_push(&x->reads, (uint32_t)e.value);
}

static const uint32_t *reads_of(void *arg, uint32_t expr, size_t *count)
{
	struct text_trace *x = arg;

	vec_clear(&x->reads);
	collect(x, expr);
	*count = x->reads.count;
	return x->reads.items;
}

/* ---- words ---- */

static uint32_t name(struct text_names *names, const char *word)
{
	for (uint32_t i = 0; i < names->count; i++)
		if (strcmp(names->items[i], word) == 0)
			return i;
	vec_push(names, xstrdup(word));
	return (uint32_t)names->count - 1;
}

static void blanks(const char **at)
{
	while (**at == ' ' || **at == '\t')
		++*at;
}

static bool word(const char **at, char *to)
{
	size_t n = 0;

	blanks(at);
	while (isalnum((unsigned char)**at) || **at == '_')
		to[n++] = *(*at)++;
	to[n] = '\0';
	return n > 0;
}

static uint32_t parse_or(struct text_trace *x, const char **at);

static uint32_t parse_atom(struct text_trace *x, const char **at)
{
	char w[64];
	uint32_t e;

	blanks(at);
	if (**at == '(') {
		++*at;
		e = parse_or(x, at);
		blanks(at);
		assert(**at == ')');
		++*at;
		return e;
	}
	assert(word(at, w));
	if (isdigit((unsigned char)w[0]))
		return text_expr(x, TEXT_NUMBER, 0, 0, strtoull(w, NULL, 10));
	return text_expr(x, TEXT_READ, 0, 0, name(&x->read_names, w));
}

struct infix {
	const char *text;
	enum text_op op;
	int level;
};

static const struct infix *find_infix(const char *at, int level)
{
	static const struct infix all[] = {{"||", TEXT_OR, 0}, {"&&", TEXT_AND, 1},
					   {"==", TEXT_EQ, 2}, {"!=", TEXT_NE, 2},
					   {"<", TEXT_LT, 2},  {"+", TEXT_ADD, 3},
					   {"-", TEXT_SUB, 3}, {"*", TEXT_MUL, 4}};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (all[i].level == level && strncmp(at, all[i].text, strlen(all[i].text)) == 0)
			return &all[i];
	return NULL;
}

static uint32_t parse_level(struct text_trace *x, const char **at, int level)
{
	const struct infix *op;
	uint32_t a;

	if (level > 4)
		return parse_atom(x, at);
	a = parse_level(x, at, level + 1);
	for (;;) {
		blanks(at);
		op = find_infix(*at, level);
		if (!op)
			return a;
		*at += strlen(op->text);
		a = text_expr(x, op->op, a, parse_level(x, at, level + 1), 0);
	}
}

static uint32_t parse_or(struct text_trace *x, const char **at)
{
	return parse_level(x, at, 0);
}

/* ---- operations ---- */

struct verb {
	const char *text;
	enum strace_op op;
	int flags;
};

static const struct verb verbs[] = {
	{"R", STRACE_READ, 0},		  {"W", STRACE_WRITE, 0},
	{"WR", STRACE_WRITE, STRACE_RELEASE}, {"WT", STRACE_WRITE, STRACE_THROUGH},
	{"RW", STRACE_RMW, 0},		  {"fence", STRACE_FENCE, 0},
	{"fork", STRACE_FORK, 0},	  {"join", STRACE_JOIN, 0},
	{"begin", STRACE_BEGIN, 0},	  {"end", STRACE_END, 0},
	{"lock", STRACE_LOCK, 0},	  {"trylock", STRACE_LOCK, STRACE_FAILED},
	{"unlock", STRACE_UNLOCK, 0},	  {"rdlock", STRACE_RDLOCK, 0},
	{"wrlock", STRACE_WRLOCK, 0},	  {"rwunlock", STRACE_RWUNLOCK, 0},
	{"wait", STRACE_WAIT, 0},	  {"wake", STRACE_WAKE, 0},
	{"signal", STRACE_SIGNAL, 0},	  {"broadcast", STRACE_BROADCAST, 0},
	{"arrive", STRACE_ARRIVE, 0},	  {"leave", STRACE_LEAVE, 0},
	{"take", STRACE_TAKE, 0},	  {"give", STRACE_GIVE, 0},
	{"oncebegin", STRACE_ONCE_BEGIN, 0}, {"onceend", STRACE_ONCE_END, 0},
	{"oncepass", STRACE_ONCE_PASS, 0},
};

static const struct verb *find_verb(const char *w)
{
	for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++)
		if (strcmp(verbs[i].text, w) == 0)
			return &verbs[i];
	return NULL;
}

static uint32_t parse_cell(struct text_trace *x, const char **at)
{
	char w[64];
	uint32_t c;

	assert(word(at, w));
	c = name(&x->cells, w);
	while (x->t.cells.count <= c)
		strace_add_cell(&x->t, 0);
	return c;
}

static void parse_access(struct text_trace *x, const char **at, const struct verb *v)
{
	uint32_t cell = parse_cell(x, at), read = STRACE_NONE, value = STRACE_NONE;
	char w[64];

	if (v->op != STRACE_WRITE) {
		assert(word(at, w));
		read = name(&x->read_names, w);
	}
	if (v->op != STRACE_READ)
		value = parse_or(x, at);
	strace_add_part(&x->t, cell, read, value);
}

static void parse_objects(struct text_trace *x, const char **at, struct strace_event *e)
{
	char w[64];

	if (e->op == STRACE_FORK || e->op == STRACE_JOIN) {
		assert(word(at, w));
		e->object = strtoull(w, NULL, 10);
		return;
	}
	if (e->op <= STRACE_END)
		return;
	assert(word(at, w));
	e->object = name(&x->objects, w);
	if (e->op == STRACE_WAIT || e->op == STRACE_WAKE) {
		assert(word(at, w));
		e->other = name(&x->objects, w);
	} else if (e->op >= STRACE_ARRIVE && e->op <= STRACE_GIVE && e->op != STRACE_LEAVE) {
		assert(word(at, w));
		e->other = strtoull(w, NULL, 10);
	}
}

static void parse_marks(const char **at, struct strace_event *e)
{
	char *end;

	for (blanks(at); **at == '@' || **at == '~'; blanks(at)) {
		if (**at == '~') {
			e->time = strtoull(*at + 1, &end, 10);
		} else {
			e->core = (int32_t)strtol(*at + 1, &end, 10);
			if (*end == ':')
				e->core_at = (uint32_t)strtoul(end + 1, &end, 10);
			if (*end == '/')
				e->segment = (uint32_t)strtoul(end + 1, &end, 10);
		}
		*at = end;
	}
}

static void parse_step(struct text_trace *x, const char **at, uint32_t thread)
{
	const struct verb *v;
	char w[64];

	assert(word(at, w));
	if (strcmp(w, "path") == 0 || strcmp(w, "bug") == 0) {
		enum strace_why why = w[0] == 'p' ? STRACE_PATH : STRACE_BUG;

		strace_add_condition(&x->t, parse_or(x, at), why);
		return;
	}
	v = find_verb(w);
	assert(v);
	uint32_t e = strace_add_event(&x->t, thread, v->op, 0);

	x->t.events.items[e].flags = (uint8_t)v->flags;
	x->t.events.items[e].tag = e;
	if (v->op <= STRACE_RMW)
		parse_access(x, at, v);
	parse_objects(x, at, &x->t.events.items[e]);
	parse_marks(at, &x->t.events.items[e]);
}

static void parse_stuck(struct text_trace *x, const char **at)
{
	char w[64];
	struct strace_stuck k = {0, 0, 0};

	assert(word(at, w) && w[0] == 'T');
	k.thread = (uint32_t)strtoul(w + 1, NULL, 10);
	assert(word(at, w));
	k.op = (uint8_t)find_verb(w)->op;
	assert(word(at, w));
	k.object = k.op == STRACE_JOIN ? strtoull(w, NULL, 10) : name(&x->objects, w);
	vec_push(&x->t.stuck, k);
}

static void parse_line(struct text_trace *x, const char **at)
{
	char w[64];

	assert(word(at, w));
	if (strcmp(w, "init") == 0) {
		while (blanks(at), **at && **at != '\n') {
			uint32_t c = parse_cell(x, at);

			assert(**at == '=');
			++*at;
			assert(word(at, w));
			x->t.cells.items[c] = strtoull(w, NULL, 10);
		}
	} else if (strcmp(w, "stuck") == 0) {
		parse_stuck(x, at);
	} else {
		uint32_t thread = (uint32_t)strtoul(w + 1, NULL, 10);

		assert(w[0] == 'T' && **at == ':');
		do {
			++*at;
			parse_step(x, at, thread);
			blanks(at);
		} while (**at == ';');
	}
	assert(**at == '\n' || **at == '\0');
}

void text_init(struct text_trace *x)
{
	memset(x, 0, sizeof(*x));
	strace_init(&x->t);
}

void text_seal(struct text_trace *x)
{
	struct err e = ERR_INIT;

	x->t.values = (struct strace_values){.arg = x, .eval = eval, .reads = reads_of};
	if (strace_seal(&x->t, &e) != 0) {
		fprintf(stderr, "%s\n", e.text);
		abort();
	}
}

void text_parse(struct text_trace *x, const char *text)
{
	text_init(x);
	for (;;) {
		while (*text == '\n' || *text == ' ' || *text == '\t')
			text++;
		if (!*text)
			break;
		parse_line(x, &text);
	}
	text_seal(x);
}

static void free_names(struct text_names *n)
{
	for (size_t i = 0; i < n->count; i++)
		free(n->items[i]);
	vec_free(n);
}

void text_fini(struct text_trace *x)
{
	strace_fini(&x->t);
	vec_free(&x->exprs);
	vec_free(&x->reads);
	free_names(&x->read_names);
	free_names(&x->cells);
	free_names(&x->objects);
}

uint32_t text_read(const struct text_trace *x, const char *n)
{
	for (uint32_t i = 0; i < x->read_names.count; i++)
		if (strcmp(x->read_names.items[i], n) == 0)
			return i;
	assert(0);
	return STRACE_NONE;
}
