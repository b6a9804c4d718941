/*
 * Follows a recorded run: executes the program of a bundle in the machine of src/symex, threads in
 * the order of the events, and compares every event: kind, place, address, size, value.
 *
 *	follow BUNDLE [PROGRAM]
 *
 * Prints one line: "followed N events" (exit status 0), or what differs (1), or what the machine
 * does not know (4).  Numbers that are addresses need not be equal: objects whose place is not
 * known beforehand (locals, strings) are matched when first met, and from then on must stay.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "follow.h"
#include "symex/path/run.h"

/* ---- numbers ---- */

static bool is_floating(const struct symex_object *x)
{
	return x->kind != SYMEX_OBJECT_HEAP || (x->base >= ADDR_HEAP && x->base < ADDR_HEAP_END);
}

static bool bind(struct follow *f, const struct symex_object *x, uint64_t real)
{
	for (size_t i = 0; i < f->bindings.count; i++) {
		struct binding *b = &f->bindings.items[i];

		if (b->base == x->base && b->kind == x->kind && b->serial == x->index)
			return b->real == real;
	}
	vec_push(&f->bindings,
		 ((struct binding){x->base, x->bytes, real, x->kind, x->thread, x->index}));
	return true;
}

/* Whether our number and the recorded one mean the same. */
static bool same(struct follow *f, uint64_t ours, uint64_t real)
{
	struct symex_object x;

	if (ours == real)
		return true;
	/* Handles of threads. */
	if (ours >= UINT64_C(0x700000000000) && ours < UINT64_C(0x700000000000) + (1 << 28))
		return true;
	if (!machine_find_object(f->m, ours, &x) || !is_floating(&x))
		return false;
	return bind(f, &x, real - (ours - x.base));
}

/* ---- the source: what the log says comes next ---- */

static bool is_marker(uint32_t kind)
{
	return kind == EVENT_BRANCH || kind == EVENT_ENTER || kind == EVENT_LEAVE ||
	       kind == EVENT_INTO || kind == EVENT_CALL || kind == EVENT_OUTSIDE;
}

static const struct wire_event *expected(struct follow *f, uint32_t tid)
{
	const struct symex_thread *t = &f->trace.threads.items[tid];
	size_t at = f->compared[tid];

	for (size_t i = f->cursor[tid]; i < t->events.count; i++)
		at += f->markers || !is_marker(t->events.items[i].kind);
	return at < f->logged[tid].count ? &f->b.events.items[f->logged[tid].items[at]] : NULL;
}

static enum symex_answer answer(const struct wire_event *e, const struct symex_question *q,
				uint64_t *out)
{
	switch (q->kind) {
	case EVENT_SLEEP: /* does the clock go on with the event before? */
		*out = e->kind == EVENT_READ && (e->aux & EVENT_HIDDEN) && (e->aux & EVENT_BLIND);
		return SYMEX_ANSWER_IS;
	case EVENT_ONCE_PASS:
	case EVENT_LOCK_TIMEOUT:
	case EVENT_COND_TIMEOUT:
	case EVENT_SEM_TIMEOUT:
	case EVENT_CAS_FAIL:
		*out = e->kind == q->kind;
		return SYMEX_ANSWER_IS;
	case EVENT_SPIN_PARK:
	case EVENT_COND_WAKE:
	case EVENT_COND_SIGNAL:
	case EVENT_COND_BROADCAST:
		*out = e->aux;
		return e->kind == q->kind ? SYMEX_ANSWER_IS : SYMEX_ANSWER_NONE;
	case EVENT_CLOCK:
		*out = e->value;
		return e->kind == q->kind ? SYMEX_ANSWER_IS : SYMEX_ANSWER_NONE;
	default:
		return SYMEX_ANSWER_NONE;
	}
}

static enum symex_answer ask(void *arg, const struct symex_question *q, uint64_t *out)
{
	struct follow *f = arg;
	const struct wire_event *e = expected(f, q->thread);

	if (q->ask == SYMEX_ASK_PLACE && e && e->kind == EVENT_ALLOC && e->value == q->size) {
		*out = e->addr;
		return SYMEX_ANSWER_IS;
	}
	if (q->ask == SYMEX_ASK_OUTCOME && e)
		return answer(e, q, out);
	return SYMEX_ANSWER_NONE;
}

/* ---- comparing ---- */

static const char *kind_name(uint32_t kind)
{
	static const char *const names[EVENT_KIND_MAX] = {
#define X(name, number, text, class) [number] = text,
#include "wire/events.def"
#undef X
	};

	return kind < EVENT_KIND_MAX && names[kind] ? names[kind] : "?";
}

static void place_of(struct follow *f, uint32_t site, char *to, size_t n)
{
	const struct trace_site *s = trace_sites_find(&f->b.sites, site);

	if (!s)
		s = trace_sites_find(&f->p->sites, site);
	snprintf(to, n, "%s:%u %s %s", s ? s->file : "?", s ? s->line : 0, s ? s->func : "?",
		 s ? s->name : "");
}

static bool differs(struct follow *f, const struct wire_event *e, const struct symex_event *x,
		    const char *what)
{
	char place[150], ours[150];

	place_of(f, e->site, place, sizeof(place));
	place_of(f, x->site, ours, sizeof(ours));
	snprintf(f->why, sizeof(f->why),
		 "%s: thread %u event %u: recorded %s %llx = %llx aux %x size %u (%.100s), "
		 "ours %u %s %llx = %llx aux %x size %u (%.60s)",
		 what, e->tid, e->tix, kind_name(e->kind), (unsigned long long)e->addr,
		 (unsigned long long)e->value, e->aux, e->size, place, x->tix, kind_name(x->kind),
		 (unsigned long long)x->addr, (unsigned long long)x->value, x->aux, x->size, ours);
	return false;
}

static bool has_value(uint32_t kind)
{
	return kind == EVENT_READ || kind == EVENT_WRITE || kind == EVENT_RMW ||
	       kind == EVENT_ISSUE || kind == EVENT_CAS_FAIL;
}

/* What the guest makes up from addresses of its own, or asks the machine for. */
static bool is_hidden(const struct wire_event *e)
{
	return has_value(e->kind) && (e->aux & EVENT_HIDDEN);
}

static bool compare(struct follow *f, const struct wire_event *e, const struct symex_event *x)
{
	uint32_t low = e->kind == EVENT_RMW ? 7 : ~0u;

	if (e->kind != x->kind)
		return differs(f, e, x, "kind");
	if (e->site != x->site)
		return differs(f, e, x, "site");
	if (e->tix != x->tix)
		return differs(f, e, x, "tix");
	if (e->size != x->size)
		return differs(f, e, x, "size");
	if (is_hidden(e))
		return true;
	if (e->kind == EVENT_ONCE_PASS && x->addr >= ADDR_OUTSIDE)
		return true; /* an object of the runtime's own */
	if (e->kind != EVENT_CALL && e->kind != EVENT_SPIN_PARK && e->kind != EVENT_ATOMIC_BEGIN &&
	    !same(f, x->addr, e->addr))
		return differs(f, e, x, "address");
	if ((e->aux & low) != (x->aux & low) && e->kind != EVENT_SPIN_PARK)
		return differs(f, e, x, "aux");
	if (has_value(e->kind) && (x->value_expr || !same(f, x->value, e->value)))
		return differs(f, e, x, "value");
	if ((e->kind == EVENT_BRANCH || e->kind == EVENT_READ_RANGE ||
	     e->kind == EVENT_WRITE_RANGE || e->kind == EVENT_ALLOC || e->kind == EVENT_FREE ||
	     e->kind == EVENT_EXIT || e->kind == EVENT_TRYLOCK) &&
	    e->value != x->value)
		return differs(f, e, x, "value");
	return true;
}

/* ---- following ---- */

static bool commit(struct follow *f, const struct wire_event *e)
{
	return e->kind == EVENT_WRITE && machine_commit(f->m, e->tid, e->tix);
}

static bool stuck(struct follow *f, const struct wire_event *e)
{
	const struct symex_thread *t = &f->trace.threads.items[e->tid];
	char place[150];

	place_of(f, t->site, place, sizeof(place));
	snprintf(f->why, sizeof(f->why), "thread %u is over (%d) before event %u (%s): %s (%.100s)",
		 e->tid, t->end, e->tix, kind_name(e->kind), t->reason, place);
	return false;
}

static bool one_event(struct follow *f, const struct wire_event *e)
{
	struct machine_thread *t;
	const struct symex_event *x;

	if (e->tid >= f->m->threads.count) {
		snprintf(f->why, sizeof(f->why), "thread %u was not created", e->tid);
		return false;
	}
	t = f->m->threads.items[e->tid];
	if (commit(f, e))
		return true;
	for (;;) {
		struct symex_thread *out = &f->trace.threads.items[e->tid];

		while (f->cursor[e->tid] >= out->events.count && t->state == THREAD_RUNS) {
			machine_step(f->m, t);
			out = &f->trace.threads.items[e->tid];
		}
		if (f->cursor[e->tid] >= out->events.count)
			return stuck(f, e);
		x = &out->events.items[f->cursor[e->tid]++];
		if (x->kind != EVENT_DRAIN && (f->markers || !is_marker(x->kind)))
			break;
	}
	f->compared[e->tid]++;
	return compare(f, e, x);
}

static bool is_ours(const struct follow *f, const struct wire_event *e)
{
	switch (e->kind) {
	case EVENT_DATA:
	case EVENT_PENDING:
	case EVENT_WEAK:
	case EVENT_DRAIN:
	case EVENT_NOTE:
	case EVENT_FAILURE:
		return false;
	default:
		return true;
	}
}

static bool is_commit(const struct follow *f, uint32_t index)
{
	const struct wire_event *e = &f->b.events.items[index];

	if (e->kind != EVENT_WRITE || f->b.meta.model == MODEL_SC)
		return false;
	for (size_t i = f->logged[e->tid].count; i-- > 0;) {
		const struct wire_event *x = &f->b.events.items[f->logged[e->tid].items[i]];

		if (x->tix == e->tix)
			return x->kind == EVENT_ISSUE;
		if (x->tix < e->tix)
			return false;
	}
	return false;
}

static void sort_log(struct follow *f)
{
	for (uint32_t i = 0; i < f->b.events.count; i++)
		if (is_ours(f, &f->b.events.items[i]) && !is_commit(f, i))
			vec_push(&f->logged[f->b.events.items[i].tid], i);
}

/* The failing thread must fail in our machine too, in the same way. */
static bool same_end(struct follow *f)
{
	const struct wire_failure *w = &f->b.outcome.failure;
	struct machine_thread *t;

	if (f->b.outcome.outcome != OUTCOME_FAILURE || w->kind == FAILURE_DEADLOCK ||
	    w->kind == FAILURE_LIVELOCK || w->kind == FAILURE_EXIT || w->tid >= f->m->threads.count)
		return true;
	t = f->m->threads.items[w->tid];
	for (unsigned i = 0; t->state == THREAD_RUNS && i < 100; i++) {
		const struct symex_thread *out = &f->trace.threads.items[w->tid];

		/* Buffers that drain are not logged. */
		while (f->cursor[w->tid] < out->events.count &&
		       out->events.items[f->cursor[w->tid]].kind == EVENT_DRAIN)
			f->cursor[w->tid]++;
		if (f->cursor[w->tid] < out->events.count)
			break;
		machine_step(f->m, t);
	}
	if (t->state == THREAD_OVER && f->trace.threads.items[w->tid].failure == w->kind)
		return true;
	snprintf(f->why, sizeof(f->why), "failure %u of thread %u: ours ends with %d, %u, %s",
		 w->kind, w->tid, f->trace.threads.items[w->tid].end,
		 f->trace.threads.items[w->tid].failure, f->trace.threads.items[w->tid].reason);
	return false;
}

static bool follow(struct follow *f)
{
	sort_log(f);
	f->trace.pool = expr_pool_new();
	f->o.buffered = f->b.meta.model != MODEL_SC;
	f->m = machine_new(f->p, &f->o, &f->trace);
	f->m->one_space = true;
	machine_begin(f->m);
	for (size_t i = 0; i < f->b.events.count; i++)
		if (is_ours(f, &f->b.events.items[i]) && !one_event(f, &f->b.events.items[i]))
			return false;
	return same_end(f);
}

static int report(struct follow *f, bool ok, double seconds)
{
	bool unknown = false;

	for (size_t i = 0; i < f->trace.threads.count; i++)
		unknown |= f->trace.threads.items[i].end == SYMEX_END_UNKNOWN;
	if (ok)
		printf("followed %zu events, %llu unknowns, %llu instructions, %.1f million a "
		       "second\n",
		       f->b.events.count, (unsigned long long)f->unknowns,
		       (unsigned long long)f->m->instructions,
		       seconds > 0 ? (double)f->m->instructions / seconds / 1e6 : 0.0);
	else
		printf("%s: %s\n", unknown ? "unknown" : "differs", f->why);
	return ok ? 0 : unknown ? 4 : 1;
}

int main(int argc, char **argv)
{
	static struct follow f = {.b = TRACE_BUNDLE_INIT};
	struct err e = ERR_INIT;
	struct timespec a, b;
	bool ok;

	if (argc < 2)
		return 2;
	if (trace_bundle_read(argv[1], &f.b, &e) ||
	    symex_program_load(argc > 2 ? argv[2] : f.b.meta.program, &f.p, &e)) {
		fprintf(stderr, "follow: %s\n", e.text);
		return 3;
	}
	f.markers = f.b.meta.flags & JOB_MARKERS;
	vec_push(&f.b.meta.argv, NULL);
	vec_push(&f.b.meta.environ, NULL);
	f.o.argv = f.b.meta.argv.items;
	f.o.envp = f.b.meta.environ.items;
	f.o.markers = true;
	f.o.source.ask = ask;
	f.o.source.arg = &f;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &a);
	ok = follow(&f);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &b);
	ok = ok && along(&f);
	return report(&f, ok,
		      (double)(b.tv_sec - a.tv_sec) + (double)(b.tv_nsec - a.tv_nsec) / 1e9);
}
