#include "model/explanation.h"

#include <stdlib.h>

const char *explanation_advice_name(enum explanation_advice_kind kind)
{
	static const char *const names[] = {
		[ADVICE_ATOMIC] = "atomic",	    [ADVICE_ORDER] = "order",
		[ADVICE_LOCK_ORDER] = "lock-order", [ADVICE_FENCE] = "fence",
		[ADVICE_WAKEUP] = "wakeup",
	};

	return (size_t)kind < sizeof(names) / sizeof(names[0]) ? names[kind] : "?";
}

uint32_t explanation_roots(const struct explanation *x)
{
	uint32_t n = 0;

	for (size_t i = 0; i < x->flows.count; i++)
		n += x->flows.items[i].root;
	return n;
}

uint32_t explanation_root_reads(const struct explanation *x)
{
	uint32_t n = 0;

	for (size_t i = 0; i < x->flows.count; i++)
		n += x->flows.items[i].root && x->flows.items[i].memory;
	return n;
}

static void fini_side(struct explanation_side *s)
{
	trace_bundle_fini(&s->bundle);
	free(s->dir);
	vec_free(&s->thread);
	vec_free(&s->rows);
}

void explanation_fini(struct explanation *x)
{
	fini_side(&x->failing);
	fini_side(&x->passing);
	vec_free(&x->flows);
	vec_free(&x->branches);
	for (size_t i = 0; i < x->advice.count; i++)
		vec_free(&x->advice.items[i].sites);
	vec_free(&x->advice);
	vec_free(&x->core[0]);
	vec_free(&x->core[1]);
	*x = (struct explanation)EXPLANATION_INIT;
}
