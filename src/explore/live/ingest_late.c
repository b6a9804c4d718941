/*
 * What library functions and large copies write is seen at once, also under TSO and PSO: see ingest.h.
 *
 * A processor may keep such stores back like any others, as if there were no fence behind them.  That
 * takes away nothing unless, before the next real fence, the thread reads (or stores, under PSO)
 * what others can see: only then could that have overtaken them.  (Stores from before the call are the
 * product's business: learn_step.needless.)
 */
#include "explore/live/ingest_thread.h"

static void lost(struct ingest *x, const struct ingest_thread *t)
{
	if (!t->held_up)
		return;
	if (!x->held_up)
		x->held_up_site = t->held_up_site;
	x->held_up = true;
}

void ingest_late(struct ingest *x, struct ingest_thread *t, const struct wire_event *ev,
		 const struct learn_step *s)
{
	bool reorders = wire_model_reorders((enum wire_model)x->model);

	if (!wire_model_buffers((enum wire_model)x->model))
		return;
	switch (s->op) {
	case LEARN_READ:
	case LEARN_PARK:
	case LEARN_READ_BYTES:
	case LEARN_READ_STRING:
		lost(x, t);
		break;
	case LEARN_WRITE:
		if (s->flags & LEARN_THROUGH)
			t->held_up = false;
		else if (reorders)
			lost(x, t);
		break;
	case LEARN_WRITE_BYTES:
		if (reorders && !(s->flags & LEARN_GLUED))
			lost(x, t);
		if (!(s->flags & LEARN_ATOMIC) && !t->held_up) {
			t->held_up = true;
			t->held_up_site = ev->site;
		}
		break;
	case LEARN_ALLOC:
	case LEARN_FREE:
	case LEARN_RETURN:
	case LEARN_ENTER:
	case LEARN_RELEASE:
		break;
	case LEARN_FENCE:
		t->held_up = t->held_up && s->needless;
		break;
	default:
		t->held_up = false;
	}
}
