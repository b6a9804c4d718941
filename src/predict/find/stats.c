#include "predict/find/stats.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "predict/find/race.h"

/* Variables of the program: what only stands for the state of something else is none. */
static uint64_t count_variables(const struct predict_trace *t)
{
	uint8_t *counted = xcalloc(predict_names_count(&t->locs) + 1, 1);
	uint64_t n = 0;

	for (size_t i = 0; i < t->events.count; i++) {
		const struct predict_event *ev = &t->events.items[i];

		if (!predict_op_accesses(ev->was) || ev->flags & PREDICT_STATE ||
		    counted[ev->object])
			continue;
		counted[ev->object] = 1;
		n++;
	}
	free(counted);
	return n;
}

static void count_event(const struct predict_event *ev, struct prediction_stats *s)
{
	switch (ev->was) {
	case OP_READ:
		s->reads++;
		break;
	case OP_WRITE:
		s->writes++;
		break;
	case OP_RMW:
		s->reads++;
		s->writes++;
		break;
	case OP_ACQ:
	case OP_REL:
		s->lock_events++;
		break;
	case OP_SIG:
	case OP_WAIT:
		s->cond_events++;
		break;
	case OP_FORK:
		s->forks++;
		break;
	case OP_JOIN:
		s->joins++;
		break;
	default:
		break;
	}
}

void predict_stats_of(const struct predict_core *c, struct prediction_stats *s)
{
	const struct predict_trace *t = c->t;

	memset(s, 0, sizeof(*s));
	s->threads = t->thread_count;
	s->locks = predict_names_count(&t->locks);
	s->conds = predict_names_count(&t->conds);
	s->vars = count_variables(t);
	s->recorded = t->events.count;
	for (size_t i = 0; i < t->events.count; i++) {
		if (!(t->events.items[i].flags & PREDICT_STATE))
			count_event(&t->events.items[i], s);
	}
	s->events = s->reads + s->writes + s->lock_events + s->cond_events + s->forks + s->joins +
		    2 * s->threads + s->locks + s->conds;
	s->candidates = predict_race_count(c);
}
