/* Numbers that expressions are taken for. */
#include "symex/machine/machine.h"

bool machine_value(struct machine *m, struct machine_thread *t, expr_id e, uint32_t site,
		   expr_value *out)
{
	if (m->values->of(m->values->arg, e, out))
		return true;
	machine_end(m, t, SYMEX_END_UNKNOWN, site,
		    "something that only the run itself knew decides here");
	return false;
}

static void assume(struct machine *m, struct machine_thread *t, expr_id e, expr_value value,
		   uint32_t site)
{
	machine_condition(m, t,
			  expr_binary(m->pool, EXPR_EQ, e,
				      expr_const(m->pool, expr_width(m->pool, e), value)),
			  SYMEX_WHY_ADDRESS, site, SYMEX_NONE, SYMEX_NONE);
}

uint64_t machine_concrete(struct machine *m, struct machine_thread *t, uint64_t value, expr_id e,
			  uint32_t site)
{
	struct symex_question q = {.ask = SYMEX_ASK_ADDRESS, .site = site, .expr = e};
	expr_value known = 0;
	uint64_t out = 0;

	if (!e)
		return value;
	if (m->values) {
		if (machine_value(m, t, e, site, &known))
			assume(m, t, e, known, site);
		return (uint64_t)known;
	}
	switch (machine_ask(m, t, &q, &out)) {
	case SYMEX_ANSWER_IS:
		assume(m, t, e, out, site);
		return out;
	case SYMEX_ANSWER_STOP:
		machine_end(m, t, SYMEX_END_STOPPED, site, "the record ends here");
		return 0;
	default:
		machine_end(m, t, SYMEX_END_UNKNOWN, site,
			    "a number that depends on shared memory decides what is accessed");
		return 0;
	}
}
