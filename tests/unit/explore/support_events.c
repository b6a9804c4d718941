#include "support_events.h"

void events_begin(struct events *f)
{
	memset(f, 0, sizeof(*f));
	learn_init(&f->l);
	cells_init(&f->cells);
	ingest_init(&f->in, &f->l, &f->cells, MODEL_SC);
}

void events_end(struct events *f)
{
	ingest_fini(&f->in);
	cells_fini(&f->cells);
	learn_fini(&f->l);
	vec_free(&f->events);
}

void events_add(struct events *f, uint16_t tid, uint8_t kind, uint64_t addr, uint64_t value,
		uint32_t aux)
{
	struct wire_event v = {.addr = addr,
			       .value = value,
			       .site = kind * 10u + tid,
			       .tix = f->tix[tid]++,
			       .aux = aux,
			       .tid = tid,
			       .kind = kind,
			       .size = kind <= EVENT_RMW ? 4 : 0};

	vec_push(&f->events, v);
}

int events_take(struct events *f)
{
	struct wire_batch_run run = {.outcome = OUTCOME_CLEAN, .event_count = f->events.count};

	return ingest_run(&f->in, &run, f->events.items, f->events.count, &f->e);
}

void events_prepare(struct events *f)
{
	ingest_note(&f->in, f->events.items, f->events.count);
	cells_layout(&f->cells, &f->l);
}

void events_clear(struct events *f)
{
	vec_clear(&f->events);
	memset(f->tix, 0, sizeof(f->tix));
}
