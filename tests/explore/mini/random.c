#include "random.h"

struct generator {
	struct strbuf *text;
	struct rng *r;
	const struct mini_random_opts *o;
	unsigned held; /* locks the thread holds, as bits */
	unsigned depth;
};

static unsigned below(struct generator *g, unsigned n)
{
	return (unsigned)rng_below(g->r, n);
}

static unsigned var(struct generator *g)
{
	return below(g, g->o->vars);
}

/* A constant, or something that depends on what was read. */
static void value(struct generator *g)
{
	switch (below(g, 5)) {
	case 0:
		strbuf_addf(g->text, "r%u + 1", below(g, 2));
		break;
	case 1:
		strbuf_addf(g->text, "r%u", below(g, 2));
		break;
	default:
		strbuf_addf(g->text, "%u", below(g, 3));
	}
}

static void operation(struct generator *g);

static void branch(struct generator *g)
{
	strbuf_addf(g->text, "if (r%u == %u) { ", below(g, 2), below(g, 3));
	g->depth++;
	operation(g);
	if (below(g, 2)) {
		strbuf_addf(g->text, "} else { ");
		operation(g);
	}
	g->depth--;
	strbuf_addf(g->text, "} ");
}

static void atomic(struct generator *g)
{
	switch (below(g, 3)) {
	case 0:
		strbuf_addf(g->text, "r%u = add(x%u, %u); ", below(g, 2), var(g), 1 + below(g, 2));
		break;
	case 1:
		strbuf_addf(g->text, "r%u = xchg(x%u, ", below(g, 2), var(g));
		value(g);
		strbuf_addf(g->text, "); ");
		break;
	default:
		strbuf_addf(g->text, "r%u = cas(x%u, %u, %u); ", below(g, 2), var(g), below(g, 2),
			    1 + below(g, 2));
	}
}

/* A critical section of one or two operations, whole: branches may not leave locks behind. */
static void section(struct generator *g)
{
	unsigned l = below(g, g->o->locks);

	if (g->held >> l & 1) {
		strbuf_addf(g->text, "r1 = x%u; ", var(g));
		return;
	}
	strbuf_addf(g->text, "lock(l%u); ", l);
	g->held |= 1u << l;
	g->depth++;
	operation(g);
	if (below(g, 2))
		operation(g);
	g->depth--;
	g->held &= ~(1u << l);
	strbuf_addf(g->text, "unlock(l%u); ", l);
}

static void operation(struct generator *g)
{
	unsigned kind = below(g, 16);

	if (kind == 0 && g->depth < 2) {
		branch(g);
	} else if (kind <= (g->o->locks > 1 ? 7 : 2) && g->o->locks && g->depth < 2) {
		section(g);
	} else if (kind <= 4 && g->o->rmw) {
		atomic(g);
	} else if (kind == 5 && g->o->fences) {
		strbuf_addf(g->text, "fence; ");
	} else if (kind < 11) {
		strbuf_addf(g->text, "x%u = ", var(g));
		value(g);
		strbuf_addf(g->text, "; ");
	} else {
		strbuf_addf(g->text, "r%u = x%u; ", below(g, 2), var(g));
	}
}

/* The first thread when it begins the others. */
static void parent(struct generator *g, unsigned threads)
{
	for (unsigned t = 1; t < threads; t++) {
		if (below(g, 2))
			operation(g);
		strbuf_addf(g->text, "fork(%u); ", t);
	}
	operation(g);
	for (unsigned t = 1; t < threads; t++) {
		if (below(g, 3))
			strbuf_addf(g->text, "join(%u); ", t);
		if (below(g, 2))
			operation(g);
	}
}

void mini_random(struct strbuf *text, struct rng *r, const struct mini_random_opts *o)
{
	struct generator g = {.text = text, .r = r, .o = o};
	unsigned threads = 2 + below(&g, o->max_threads - 1);

	strbuf_addf(text, "shared x0");
	for (unsigned v = 1; v < o->vars; v++)
		strbuf_addf(text, ", x%u", v);
	strbuf_addf(text, "; ");
	for (unsigned t = 0; t < threads; t++) {
		unsigned ops = 1 + below(&g, o->max_ops);

		strbuf_addf(text, o->forks && t ? "late thread { " : "thread { ");
		if (o->forks && !t)
			parent(&g, threads);
		for (unsigned i = 0; i < ops && (t || !o->forks); i++)
			operation(&g);
		strbuf_addf(text, "} ");
	}
}
