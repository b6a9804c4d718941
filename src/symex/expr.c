#include "symex/expr.h"

#include <assert.h>
#include <string.h>

#include "base/mem.h"
#include "base/vec.h"

struct expr_pool {
	VEC(struct expr_node) nodes;
	uint32_t *slots; /* hash table of ids */
	size_t capacity;
	/* Evaluation: values of the nodes of the current assignment. */
	expr_value *values;
	uint32_t *stamps;
	size_t room;
	uint32_t stamp;
	VEC(expr_id) stack;
	VEC(uint32_t) found;
};

static const uint8_t arity[EXPR_OPS] = {
#define X(name, text, arguments) arguments,
#include "symex/expr.def"
#undef X
};

struct expr_pool *expr_pool_new(void)
{
	struct expr_pool *p = xcalloc(1, sizeof(*p));

	vec_push(&p->nodes, (struct expr_node){0});
	p->capacity = 1024;
	p->slots = xcalloc(p->capacity, sizeof(*p->slots));
	return p;
}

void expr_pool_free(struct expr_pool *p)
{
	if (!p)
		return;
	vec_free(&p->nodes);
	vec_free(&p->stack);
	vec_free(&p->found);
	free(p->slots);
	free(p->values);
	free(p->stamps);
	free(p);
}

const struct expr_node *expr_get(const struct expr_pool *p, expr_id e)
{
	assert(e != EXPR_NONE && e < p->nodes.count);
	return &p->nodes.items[e];
}

unsigned expr_width(const struct expr_pool *p, expr_id e)
{
	return expr_get(p, e)->width;
}

size_t expr_count(const struct expr_pool *p)
{
	return p->nodes.count;
}

static uint64_t hash_node(const struct expr_node *n)
{
	uint64_t words[2], h;

	memcpy(words, n, sizeof(words));
	h = words[0] * UINT64_C(0x9e3779b97f4a7c15) ^ words[1];
	h *= UINT64_C(0xff51afd7ed558ccd);
	return h ^ h >> 32;
}

_Static_assert(sizeof(struct expr_node) == 16, "nodes are hashed as two words");

static void grow_slots(struct expr_pool *p)
{
	size_t capacity = p->capacity * 2;
	uint32_t *slots = xcalloc(capacity, sizeof(*slots));

	for (uint32_t id = 1; id < p->nodes.count; id++) {
		size_t at = hash_node(&p->nodes.items[id]) & (capacity - 1);

		while (slots[at])
			at = (at + 1) & (capacity - 1);
		slots[at] = id;
	}
	free(p->slots);
	p->slots = slots;
	p->capacity = capacity;
}

static expr_id intern(struct expr_pool *p, const struct expr_node *n)
{
	size_t at = hash_node(n) & (p->capacity - 1);

	for (; p->slots[at]; at = (at + 1) & (p->capacity - 1))
		if (!memcmp(&p->nodes.items[p->slots[at]], n, sizeof(*n)))
			return p->slots[at];
	vec_push(&p->nodes, *n);
	p->slots[at] = (uint32_t)(p->nodes.count - 1);
	if (p->nodes.count * 2 > p->capacity)
		grow_slots(p);
	return (expr_id)(p->nodes.count - 1);
}

static expr_value mask(unsigned width)
{
	return width >= 128 ? ~(expr_value)0 : ((expr_value)1 << width) - 1;
}

expr_id expr_const(struct expr_pool *p, unsigned width, expr_value value)
{
	struct expr_node n = {.op = EXPR_CONST, .width = (uint8_t)width};

	assert(width >= 1 && width <= EXPR_MAX_WIDTH);
	value &= mask(width);
	if (value >> 64 >> 32) {
		struct expr_node wide = {.op = EXPR_CONCAT, .width = (uint8_t)width};

		wide.arg[0] = expr_const(p, width - 64, value >> 64);
		wide.arg[1] = expr_const(p, 64, (uint64_t)value);
		return intern(p, &wide);
	}
	n.words[0] = (uint32_t)value;
	n.words[1] = (uint32_t)(value >> 32);
	n.words[2] = (uint32_t)(value >> 64);
	return intern(p, &n);
}

expr_id expr_read(struct expr_pool *p, uint32_t read, unsigned width)
{
	struct expr_node n = {.op = EXPR_READ, .width = (uint8_t)width};

	assert(width >= 1 && width <= 64);
	n.read = read;
	return intern(p, &n);
}

bool expr_is_const(const struct expr_pool *p, expr_id e, expr_value *value)
{
	const struct expr_node *n = expr_get(p, e);
	expr_value high, low;

	if (n->op == EXPR_CONST) {
		*value = (expr_value)n->words[2] << 64 | (uint64_t)n->words[1] << 32 | n->words[0];
		return true;
	}
	if (n->op != EXPR_CONCAT || !expr_is_const(p, n->arg[0], &high) ||
	    !expr_is_const(p, n->arg[1], &low))
		return false;
	*value = high << expr_width(p, n->arg[1]) | low;
	return true;
}

/* All arguments constant: the node is too. */
static bool fold(struct expr_pool *p, const struct expr_node *n, expr_value *value)
{
	expr_value arg[3] = {0, 0, 0};
	unsigned widths[3] = {0, 0, 0};

	for (unsigned i = 0; i < arity[n->op]; i++) {
		if (!expr_is_const(p, n->arg[i], &arg[i]))
			return false;
		widths[i] = expr_width(p, n->arg[i]);
	}
	*value = expr_compute((enum expr_op)n->op, n->width, n->aux, arg, widths);
	return true;
}

static bool is_value(const struct expr_pool *p, expr_id e, expr_value wanted)
{
	expr_value value;

	return expr_is_const(p, e, &value) && value == wanted;
}

/* What is the same as one of its arguments, or as a simpler node; 0 when there is none. */
static expr_id simplify(struct expr_pool *p, const struct expr_node *n)
{
	const struct expr_node *in;
	expr_id a = n->arg[0], b = n->arg[1], c = n->arg[2];
	expr_value ones = mask(n->width), value;

	switch (n->op) {
	case EXPR_ADD:
	case EXPR_OR:
	case EXPR_XOR:
		if (is_value(p, a, 0))
			return b;
		/* fall through */
	case EXPR_SUB:
	case EXPR_SHL:
	case EXPR_LSHR:
	case EXPR_ASHR:
		return is_value(p, b, 0) ? a : EXPR_NONE;
	case EXPR_AND:
		if (is_value(p, a, ones) || is_value(p, b, 0))
			return b;
		return is_value(p, b, ones) || is_value(p, a, 0) ? a : EXPR_NONE;
	case EXPR_MUL:
		if (is_value(p, a, 1) || is_value(p, b, 0))
			return b;
		return is_value(p, b, 1) || is_value(p, a, 0) ? a : EXPR_NONE;
	case EXPR_EQ:
	case EXPR_ULE:
	case EXPR_SLE:
		return a == b ? expr_const(p, 1, 1) : EXPR_NONE;
	case EXPR_NE:
		/* A bit that is not 0 is the bit. */
		if (n->width == 1 && expr_width(p, a) == 1 && is_value(p, b, 0))
			return a;
		return a == b ? expr_const(p, 1, 0) : EXPR_NONE;
	case EXPR_ULT:
	case EXPR_SLT:
		return a == b ? expr_const(p, 1, 0) : EXPR_NONE;
	case EXPR_ZEXT:
	case EXPR_SEXT:
	case EXPR_FCONV:
		return expr_width(p, a) == n->width ? a : EXPR_NONE;
	case EXPR_SELECT:
		if (b == c)
			return b;
		return expr_is_const(p, a, &value) ? (value ? b : c) : EXPR_NONE;
	case EXPR_EXTRACT:
		in = expr_get(p, a);
		if (in->width == n->width)
			return a;
		if (in->op == EXPR_EXTRACT)
			return expr_extract(p, in->arg[0], n->aux + in->aux, n->width);
		if (in->op == EXPR_CONCAT) {
			unsigned low = expr_width(p, in->arg[1]);

			if (n->aux >= low)
				return expr_extract(p, in->arg[0], n->aux - low, n->width);
			if (n->aux + n->width <= low)
				return expr_extract(p, in->arg[1], n->aux, n->width);
		}
		if ((in->op == EXPR_ZEXT || in->op == EXPR_SEXT) &&
		    n->aux + n->width <= expr_width(p, in->arg[0]))
			return expr_extract(p, in->arg[0], n->aux, n->width);
		if (in->op == EXPR_ZEXT && n->aux >= expr_width(p, in->arg[0]))
			return expr_const(p, n->width, 0);
		return EXPR_NONE;
	case EXPR_CONCAT:
		if (is_value(p, a, 0))
			return expr_resize(p, b, n->width, false);
		/* Neighbouring pieces of one number. */
		if (expr_get(p, a)->op == EXPR_EXTRACT && expr_get(p, b)->op == EXPR_EXTRACT &&
		    expr_get(p, a)->arg[0] == expr_get(p, b)->arg[0] &&
		    expr_get(p, a)->aux == expr_get(p, b)->aux + expr_width(p, b))
			return expr_extract(p, expr_get(p, a)->arg[0], expr_get(p, b)->aux,
					    n->width);
		return EXPR_NONE;
	default:
		return EXPR_NONE;
	}
}

expr_id expr_make(struct expr_pool *p, enum expr_op op, unsigned width, uint16_t aux,
		  const expr_id arg[3])
{
	struct expr_node n = {.op = (uint8_t)op, .width = (uint8_t)width, .aux = aux};
	expr_value value;
	expr_id same;

	assert(op > EXPR_READ && op < EXPR_OPS && width >= 1 && width <= EXPR_MAX_WIDTH);
	for (unsigned i = 0; i < arity[op]; i++) {
		assert(arg[i] != EXPR_NONE && arg[i] < p->nodes.count);
		n.arg[i] = arg[i];
	}
	if (fold(p, &n, &value))
		return expr_const(p, width, value);
	same = simplify(p, &n);
	return same ? same : intern(p, &n);
}

static bool compares(enum expr_op op)
{
	return op >= EXPR_EQ && op <= EXPR_SLE;
}

expr_id expr_binary(struct expr_pool *p, enum expr_op op, expr_id a, expr_id b)
{
	expr_id arg[3] = {a, b, EXPR_NONE};

	assert(expr_width(p, a) == expr_width(p, b));
	return expr_make(p, op, compares(op) ? 1 : expr_width(p, a), 0, arg);
}

expr_id expr_not(struct expr_pool *p, expr_id condition)
{
	return expr_binary(p, EXPR_EQ, condition, expr_const(p, expr_width(p, condition), 0));
}

expr_id expr_extract(struct expr_pool *p, expr_id e, unsigned low, unsigned width)
{
	expr_id arg[3] = {e, EXPR_NONE, EXPR_NONE};

	assert(low + width <= expr_width(p, e));
	return expr_make(p, EXPR_EXTRACT, width, (uint16_t)low, arg);
}

expr_id expr_concat(struct expr_pool *p, expr_id high, expr_id low)
{
	expr_id arg[3] = {high, low, EXPR_NONE};

	return expr_make(p, EXPR_CONCAT, expr_width(p, high) + expr_width(p, low), 0, arg);
}

expr_id expr_resize(struct expr_pool *p, expr_id e, unsigned width, bool sign)
{
	expr_id arg[3] = {e, EXPR_NONE, EXPR_NONE};

	if (width <= expr_width(p, e))
		return expr_extract(p, e, 0, width);
	return expr_make(p, sign ? EXPR_SEXT : EXPR_ZEXT, width, 0, arg);
}

/* ---- evaluation ---- */

static void new_stamp(struct expr_pool *p)
{
	if (p->room < p->nodes.count) {
		size_t room = p->nodes.count * 2;

		p->values = xrealloc(p->values, room, sizeof(*p->values));
		p->stamps = xrealloc(p->stamps, room, sizeof(*p->stamps));
		memset(p->stamps + p->room, 0, (room - p->room) * sizeof(*p->stamps));
		p->room = room;
	}
	if (++p->stamp == 0) {
		memset(p->stamps, 0, p->room * sizeof(*p->stamps));
		p->stamp = 1;
	}
	vec_clear(&p->stack);
}

/* Pushes the arguments that have no value yet; true when there are none. */
static bool arguments_done(struct expr_pool *p, const struct expr_node *n)
{
	bool done = true;

	for (unsigned i = 0; i < arity[n->op]; i++)
		if (p->stamps[n->arg[i]] != p->stamp) {
			vec_push(&p->stack, n->arg[i]);
			done = false;
		}
	return done;
}

static expr_value value_of(struct expr_pool *p, const struct expr_node *n, const uint64_t *reads)
{
	expr_value arg[3] = {0, 0, 0}, value;
	unsigned widths[3] = {0, 0, 0};

	if (n->op == EXPR_READ)
		return reads[n->read] & mask(n->width);
	if (n->op == EXPR_CONST) {
		(void)expr_is_const(p, (expr_id)(n - p->nodes.items), &value);
		return value;
	}
	for (unsigned i = 0; i < arity[n->op]; i++) {
		arg[i] = p->values[n->arg[i]];
		widths[i] = expr_width(p, n->arg[i]);
	}
	return expr_compute((enum expr_op)n->op, n->width, n->aux, arg, widths);
}

expr_value expr_eval(struct expr_pool *p, expr_id e, const uint64_t *reads)
{
	assert(e != EXPR_NONE && e < p->nodes.count);
	new_stamp(p);
	vec_push(&p->stack, e);
	/* Chains are as long as programs run: no recursion. */
	while (p->stack.count) {
		expr_id top = vec_last(&p->stack);
		const struct expr_node *n = &p->nodes.items[top];

		if (p->stamps[top] != p->stamp) {
			if (!arguments_done(p, n))
				continue;
			p->values[top] = value_of(p, n, reads);
			p->stamps[top] = p->stamp;
		}
		(void)vec_pop(&p->stack);
	}
	return p->values[e];
}

static int by_number(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

const uint32_t *expr_reads(struct expr_pool *p, expr_id e, size_t *count)
{
	new_stamp(p);
	vec_clear(&p->found);
	vec_push(&p->stack, e);
	while (p->stack.count) {
		expr_id top = vec_pop(&p->stack);
		const struct expr_node *n = &p->nodes.items[top];

		if (p->stamps[top] == p->stamp)
			continue;
		p->stamps[top] = p->stamp;
		if (n->op == EXPR_READ)
			vec_push(&p->found, n->read);
		for (unsigned i = 0; i < arity[n->op]; i++)
			vec_push(&p->stack, n->arg[i]);
	}
	if (p->found.count > 1)
		qsort(p->found.items, p->found.count, sizeof(*p->found.items), by_number);
	*count = p->found.count;
	return p->found.items;
}

/* ---- text ---- */

static const char *const names[EXPR_OPS] = {
#define X(name, text, arguments) text,
#include "symex/expr.def"
#undef X
};

void expr_print(const struct expr_pool *p, expr_id e, struct strbuf *to)
{
	const struct expr_node *n = expr_get(p, e);
	expr_value value;

	if (expr_is_const(p, e, &value)) {
		strbuf_addf(to, "%llu", (unsigned long long)value);
		return;
	}
	if (n->op == EXPR_READ) {
		strbuf_addf(to, "r%u", n->read);
		return;
	}
	strbuf_addf(to, "(%s", names[n->op]);
	if (n->op == EXPR_EXTRACT)
		strbuf_addf(to, "[%u:%u]", n->aux + n->width - 1, n->aux);
	for (unsigned i = 0; i < arity[n->op]; i++) {
		strbuf_addf(to, " ");
		expr_print(p, n->arg[i], to);
	}
	strbuf_addf(to, ")");
}
