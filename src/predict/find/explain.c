#include "predict/find/explain.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/mem.h"
#include "predict/find/atomic.h"

static const char *thread_of(const struct predict_trace *t, uint32_t e)
{
	return predict_names_text(&t->threads, t->events.items[e].thread);
}

static const char *verb(const struct predict_event *ev)
{
	switch (ev->was) {
	case OP_READ:
		return "reads";
	case OP_WRITE:
		return ev->flags & PREDICT_FREE ? "frees" : "writes";
	case OP_RMW:
		return "updates";
	case OP_ACQ:
		return ev->flags & PREDICT_SHARED ? "read-locks" : "locks";
	case OP_REL:
		return "unlocks";
	case OP_FORK:
		return "creates";
	case OP_JOIN:
		return "joins";
	case OP_SIG:
		return "signals";
	case OP_WAIT:
		return "is woken from";
	default:
		return "passes";
	}
}

void predict_explain_place(const struct predict_trace *t, uint32_t e, struct strbuf *to)
{
	uint32_t site = t->events.items[e].site;

	if (site != PREDICT_NONE)
		strbuf_add(to, predict_names_text(&t->sites, site));
	else
		strbuf_addf(to, "line %u of the trace", t->events.items[e].line);
}

void predict_explain_held(const struct predict_trace *t, uint32_t e, struct strbuf *to)
{
	bool first = true;

	for (uint32_t l = t->held[e]; l != 0; l = t->lists.items[l].next) {
		strbuf_addf(to, "%s%s", first ? "" : ", ",
			    predict_trace_object(t, t->lists.items[l].acq));
		first = false;
	}
}

void predict_explain_event(const struct predict_trace *t, uint32_t e, struct strbuf *to)
{
	const struct predict_event *ev = &t->events.items[e];

	strbuf_addf(to, "%s %s %s at ", thread_of(t, e), verb(ev), predict_trace_object(t, e));
	predict_explain_place(t, e, to);
	if (t->held[e] != 0) {
		strbuf_add(to, ", holding ");
		predict_explain_held(t, e, to);
	}
}

void predict_explain_title(const struct predict_trace *t, const struct predict_finding *f,
			   struct strbuf *to)
{
	bool named = f->kind == KIND_RACE || f->kind == KIND_ATOMICITY;

	if (f->name != NULL)
		strbuf_addf(to, "%s: ", f->name);
	if (f->events.count == 0) {
		strbuf_add(to, "the asked order");
		return;
	}
	if (named)
		strbuf_addf(to, "%s: ", predict_trace_object(t, f->events.items[0]));
	for (size_t i = 0; i < f->events.count; i++) {
		uint32_t e = f->events.items[i];

		strbuf_addf(to, "%s%s %s ", i > 0 ? ", " : "", thread_of(t, e),
			    verb(&t->events.items[e]));
		if (!named)
			strbuf_addf(to, "%s ", predict_trace_object(t, e));
		strbuf_add(to, "at ");
		predict_explain_place(t, e, to);
	}
}

/* Two sections of one lock that the witness runs in the opposite order of the trace. */
static bool find_reversal(const struct predict_trace *t, const struct predict_order *w,
			  uint32_t *first, uint32_t *second)
{
	uint32_t locks = predict_names_count(&t->locks);
	uint32_t *latest = xmalloc((locks + 1) * sizeof(*latest));
	bool found = false;

	for (uint32_t i = 0; i < locks; i++)
		latest[i] = PREDICT_NONE;
	for (size_t i = 0; i < w->count && !found; i++) {
		uint32_t e = w->items[i], lock = t->events.items[e].object;

		if (t->events.items[e].op != OP_ACQ)
			continue;
		if (latest[lock] != PREDICT_NONE && latest[lock] > e) {
			*first = latest[lock];
			*second = e;
			found = true;
		}
		latest[lock] = e;
	}
	free(latest);
	return found;
}

static void why_locks(const struct predict_trace *t, const struct predict_finding *f,
		      struct strbuf *to)
{
	for (size_t i = 0; i < f->events.count; i++) {
		uint32_t e = f->events.items[i];

		strbuf_addf(to, "%s%s holds ", i > 0 ? ", " : "", thread_of(t, e));
		if (t->held[e] == 0)
			strbuf_add(to, "no lock");
		predict_explain_held(t, e, to);
		if (f->kind == KIND_DEADLOCK)
			strbuf_addf(to, " and requests %s", predict_trace_object(t, e));
	}
	strbuf_add(to, f->kind == KIND_DEADLOCK ? ": each waits for the next.  "
						: ": no common lock keeps them apart.  ");
}

static void why_kind(const struct predict_trace *t, const struct predict_finding *f,
		     struct strbuf *to)
{
	const uint32_t *e = f->events.items;
	const struct predict_event *ev = t->events.items;

	if (f->kind == KIND_RACE || f->kind == KIND_DEADLOCK) {
		why_locks(t, f, to);
	} else if (f->kind == KIND_ATOMICITY && f->events.count == 3) {
		strbuf_addf(to,
			    "The access of %s falls between two accesses of %s that %s "
			    "together (%s), pattern %s.  ",
			    thread_of(t, e[1]), thread_of(t, e[0]),
			    f->name == NULL && predict_block_inferred(f->block)
				    ? "are taken to belong"
				    : "belong",
			    f->name != NULL ? "as asked" : predict_block_text(f->block),
			    predict_atomic_pattern(ev[e[0]].op, ev[e[1]].op, ev[e[2]].op));
	} else {
		strbuf_add(to, "The events happen in the order asked for.  ");
	}
}

static void why_model(const struct predict_trace *t, const struct predict_finding *f,
		      struct strbuf *to)
{
	struct predict_order witness = VEC_INIT;
	uint32_t first, second;
	bool reversed;

	predict_finding_witness(f, t, &witness);
	reversed = find_reversal(t, &witness, &first, &second);
	vec_free(&witness);
	if (reversed) {
		strbuf_addf(to, "Lock %s is taken by %s (", predict_trace_object(t, first),
			    thread_of(t, first));
		predict_explain_place(t, first, to);
		strbuf_addf(to, ") before %s (", thread_of(t, second));
		predict_explain_place(t, second, to);
		strbuf_add(to, "), the other way round than recorded");
	} else {
		strbuf_add(to, "No critical section changes places");
	}
	if (f->model == MODEL_CDSR)
		strbuf_add(to,
			   ", and every executed read sees the write it saw in the recording, so "
			   "the program can do this.");
	else if (f->model == MODEL_BRANCH)
		strbuf_add(to,
			   ", and every read that an executed branch may depend on sees the write "
			   "it saw in the recording, so the program can do this.");
	else
		strbuf_add(to,
			   "; reads may see other writes (CSR), so the program can do this only if "
			   "its threads do not coordinate through memory.");
}

void predict_explain_why(const struct predict_trace *t, const struct predict_finding *f,
			 struct strbuf *to)
{
	strbuf_addf(to, "%" PRIu64 " of the %zu recorded events, in another order, lead there.  ",
		    f->steps, t->events.count);
	why_kind(t, f, to);
	why_model(t, f, to);
}
