#include "depend.h"

#include <string.h>

#define MINI_SLOTS (MINI_LOCALS + MINI_STACK)

/* Definitions that may have given a slot (locals, then the stack) its value, before each pc. */
struct flow {
	unsigned n; /* instructions; n itself is the end */
	const struct mini_instr *code;
	uint8_t *defs; /* [n][slot][n] */
	int *depth;    /* of the stack, -1: not reached */
	uint8_t *edge; /* direct data dependence, [n * n] */
};

static uint8_t *slot(const struct flow *f, unsigned pc, unsigned s)
{
	return f->defs + ((size_t)pc * MINI_SLOTS + s) * f->n;
}

/* Operands popped; the index of an array access is one more. */
static unsigned pops(const struct mini_instr *in)
{
	switch (in->code) {
	case MINI_PUSH:
	case MINI_LOCAL:
	case MINI_INC:
	case MINI_JUMP:
	case MINI_ERROR:
	case MINI_STOP:
	case MINI_LOCK:
	case MINI_UNLOCK:
	case MINI_FENCE:
	case MINI_FORK:
	case MINI_JOIN:
	case MINI_END:
		return 0;
	case MINI_READ:
		return in->indexed;
	case MINI_SET:
	case MINI_POP:
	case MINI_NOT:
	case MINI_JZERO:
	case MINI_ASSERT:
	case MINI_ASSUME:
		return 1;
	case MINI_WRITE:
	case MINI_FETCH_ADD:
	case MINI_XCHG:
		return 1u + in->indexed;
	case MINI_CAS:
		return 2u + in->indexed;
	default:
		return 2;
	}
}

static bool pushes(const struct mini_instr *in)
{
	switch (in->code) {
	case MINI_SET:
	case MINI_POP:
	case MINI_JUMP:
	case MINI_JZERO:
	case MINI_ASSERT:
	case MINI_ASSUME:
	case MINI_ERROR:
	case MINI_STOP:
	case MINI_WRITE:
	case MINI_LOCK:
	case MINI_UNLOCK:
	case MINI_FENCE:
	case MINI_FORK:
	case MINI_JOIN:
	case MINI_END:
		return false;
	default:
		return true;
	}
}

/* Up to two places control goes to from pc; n is the end. */
static unsigned successors(const struct flow *f, unsigned pc, unsigned to[2])
{
	const struct mini_instr *in = &f->code[pc];

	switch (in->code) {
	case MINI_STOP:
		to[0] = f->n;
		return 1;
	case MINI_JUMP:
		to[0] = (unsigned)in->arg;
		return 1;
	case MINI_JZERO:
		to[0] = pc + 1;
		to[1] = (unsigned)in->arg;
		return 2;
	case MINI_ASSUME:
		to[0] = pc + 1;
		to[1] = f->n;
		return 2;
	default:
		to[0] = pc + 1;
		return 1;
	}
}

static void use(struct flow *f, const uint8_t *defs, unsigned pc)
{
	for (unsigned d = 0; d < f->n; d++)
		f->edge[d * f->n + pc] |= defs[d];
}

static void define(struct flow *f, uint8_t *defs, unsigned pc)
{
	memset(defs, 0, f->n);
	defs[pc] = 1;
}

/* What leaves pc, in `out' with the layout of one pc; returns the depth of the stack. */
static int transfer(struct flow *f, unsigned pc, uint8_t *out)
{
	const struct mini_instr *in = &f->code[pc];
	int depth = f->depth[pc];

	memcpy(out, slot(f, pc, 0), (size_t)MINI_SLOTS * f->n);
	if (in->code == MINI_LOCAL || in->code == MINI_INC)
		use(f, slot(f, pc, (unsigned)in->arg), pc);
	for (unsigned i = pops(in); i; i--)
		use(f, slot(f, pc, MINI_LOCALS + (unsigned)--depth), pc);
	if (in->code == MINI_SET || in->code == MINI_INC)
		define(f, out + (size_t)in->arg * f->n, pc);
	if (pushes(in))
		define(f, out + (size_t)(MINI_LOCALS + depth++) * f->n, pc);
	return depth;
}

static bool merge(struct flow *f, unsigned to, const uint8_t *out, int depth)
{
	uint8_t *in = slot(f, to, 0);
	bool changed = f->depth[to] < 0;

	f->depth[to] = depth;
	for (size_t i = 0; i < (size_t)MINI_SLOTS * f->n; i++) {
		changed |= out[i] && !in[i];
		in[i] |= out[i];
	}
	return changed;
}

static void follow_data(struct flow *f)
{
	uint8_t *out = xcalloc((size_t)MINI_SLOTS * f->n, 1);
	bool changed = true;

	f->depth[0] = 0;
	while (changed) {
		changed = false;
		for (unsigned pc = 0; pc < f->n; pc++) {
			unsigned to[2], n = successors(f, pc, to);
			int depth;

			if (f->depth[pc] < 0)
				continue;
			depth = transfer(f, pc, out);
			for (unsigned i = 0; i < n; i++) {
				if (to[i] < f->n)
					changed |= merge(f, to[i], out, depth);
			}
		}
	}
	free(out);
}

/* after[a * (n + 1) + b]: every way from a to the end passes b. */
static uint8_t *post_dominators(const struct flow *f)
{
	unsigned m = f->n + 1;
	uint8_t *after = xcalloc((size_t)m * m, 1);
	bool changed = true;

	memset(after, 1, (size_t)f->n * m);
	after[(size_t)f->n * m + f->n] = 1;
	while (changed) {
		changed = false;
		for (unsigned a = f->n; a-- > 0;) {
			unsigned to[2], n = successors(f, a, to);

			for (unsigned b = 0; b < m; b++) {
				bool all = after[(size_t)to[0] * m + b] &&
					   after[(size_t)to[n - 1] * m + b];
				uint8_t new = a == b || all;

				changed |= new != after[(size_t)a * m + b];
				after[(size_t)a * m + b] = new;
			}
		}
	}
	return after;
}

static void follow_control(const struct flow *f, uint8_t *control)
{
	uint8_t *after = post_dominators(f);
	unsigned m = f->n + 1;

	for (unsigned a = 0; a < f->n; a++) {
		unsigned to[2], n = successors(f, a, to);

		for (unsigned i = 0; n == 2 && i < n; i++) {
			for (unsigned b = 0; b < f->n; b++)
				control[a * f->n + b] |= after[(size_t)to[i] * m + b] &&
							 (a == b || !after[(size_t)a * m + b]);
		}
	}
	free(after);
}

static void close_relation(uint8_t *r, unsigned n)
{
	for (unsigned k = 0; k < n; k++) {
		for (unsigned i = 0; i < n; i++) {
			if (!r[i * n + k])
				continue;
			for (unsigned j = 0; j < n; j++)
				r[i * n + j] |= r[k * n + j];
		}
	}
}

/*
 * data becomes what any mixture of data and control reaches (a value computed under a condition
 * depends on the condition), control what a last step of control does.
 */
static void apply_rules(uint8_t *data, uint8_t *control, unsigned n)
{
	uint8_t *last = xcalloc((size_t)n * n, 1);

	for (size_t i = 0; i < (size_t)n * n; i++)
		data[i] |= control[i];
	close_relation(data, n);
	for (unsigned i = 0; i < n; i++) {
		for (unsigned k = 0; k < n; k++) {
			if (i != k && !data[i * n + k])
				continue;
			for (unsigned j = 0; j < n; j++)
				last[i * n + j] |= control[k * n + j];
		}
	}
	memcpy(control, last, (size_t)n * n);
	free(last);
}

void mini_depend_init(struct mini_depend *d, const struct mini_program *p)
{
	*d = (struct mini_depend){.threads = p->threads};
	for (unsigned t = 0; t < p->threads; t++) {
		unsigned n = (unsigned)p->code[t].count;
		struct flow f = {.n = n, .code = p->code[t].items};

		f.defs = xcalloc((size_t)n * MINI_SLOTS * n, 1);
		f.depth = xcalloc(n + 1, sizeof(*f.depth));
		memset(f.depth, -1, (n + 1) * sizeof(*f.depth));
		f.edge = xcalloc((size_t)n * n, 1);
		follow_data(&f);
		d->of[t].n = n;
		d->of[t].data = f.edge;
		d->of[t].control = xcalloc((size_t)n * n, 1);
		follow_control(&f, d->of[t].control);
		apply_rules(d->of[t].data, d->of[t].control, n);
		free(f.defs);
		free(f.depth);
	}
}

void mini_depend_fini(struct mini_depend *d)
{
	for (unsigned t = 0; t < d->threads; t++) {
		free(d->of[t].data);
		free(d->of[t].control);
	}
}

bool mini_depends(void *arg, uint32_t read_site, uint32_t event_site)
{
	const struct mini_depend *d = arg;
	unsigned t = read_site >> 16, from = read_site & 0xffff, to = event_site & 0xffff;
	unsigned n = d->of[t].n;

	if (t != event_site >> 16)
		return true;
	return d->control_only ? d->of[t].control[from * n + to] : d->of[t].data[from * n + to];
}
