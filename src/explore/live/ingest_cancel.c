/*
 * Requests to end a thread.
 *
 * pthread_testcancel() looks for them in a cell of hidden memory, which pthread_cancel() writes:
 * that is all the trees need.  Other cancellation points would have to be ready for a request
 * while they wait, which is not modelled.  So a thread that has such points and is asked to end by
 * another, be it in two different executions, cannot be searched.
 */
#include "explore/live/ingest_thread.h"

enum request {
	REQUESTED = 1, /* another thread has asked it to end */
	WAITS = 2,     /* it has cancellation points other than pthread_testcancel() */
};

/* Hidden cells and their kinds as the guest numbers them: streams, signals. */
#define CELLS (UINT64_C(1) << 40)
#define CELL_KIND(addr) ((addr) >> 36 & 15)
#define CELL_FILE 5
#define CELL_SIGNAL 7

static bool is_cell_of_point(uint64_t addr)
{
	return addr - WIRE_HIDDEN_ADDR < CELLS &&
	       (CELL_KIND(addr) == CELL_FILE || CELL_KIND(addr) == CELL_SIGNAL);
}

static bool is_point(const struct wire_event *ev)
{
	switch (ev->kind) {
	case EVENT_COND_WAIT:
	case EVENT_SEM_WAIT:
	case EVENT_SEM_TIMEOUT:
	case EVENT_THREAD_JOIN:
	case EVENT_SLEEP:
	case EVENT_IO:
	case EVENT_FD:
		return true;
	case EVENT_READ:
	case EVENT_WRITE:
		return is_cell_of_point(ev->addr);
	default:
		return false;
	}
}

static int note(struct ingest *x, uint32_t tid, enum request what, struct err *e)
{
	uint32_t thread = x->threads.items[tid].number;

	while (x->requests.count <= thread)
		vec_push(&x->requests, 0);
	x->requests.items[thread] |= (uint8_t)what;
	if (x->requests.items[thread] == (REQUESTED | WAITS))
		return err_set(e, ERR_UNSUPPORTED,
			       "cancellation of a thread that sleeps, waits, reads or writes is "
			       "not modelled");
	return 0;
}

int ingest_cancel(struct ingest *x, const struct wire_event *ev, struct err *e)
{
	struct wire_event op = *ev;

	if (ev->kind == EVENT_PENDING) {
		op.kind = (uint8_t)(ev->aux & 0xff);
		op.aux = ev->aux >> 8;
	}
	if (op.kind == EVENT_THREAD_CANCEL && ev->kind != EVENT_PENDING && op.aux != op.tid) {
		if (op.aux >= x->threads.count)
			return err_set(e, ERR_FORMAT, "a thread is cancelled that was never begun");
		return note(x, op.aux, REQUESTED, e);
	}
	return is_point(&op) ? note(x, op.tid, WAITS, e) : 0;
}
