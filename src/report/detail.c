#include "report/detail.h"

#include <inttypes.h>
#include <string.h>

#include "report/phrase.h"
#include "report/words.h"

bool report_detail_stuck(const struct wire_thread *t)
{
	return t->state == THREAD_BLOCKED || t->state == THREAD_SPINNING;
}

static const struct trace_site *site_of(const struct trace_bundle *b, uint32_t site)
{
	return trace_sites_find(&b->sites, site);
}

void report_detail_headline(const struct trace_bundle *b, struct strbuf *to)
{
	const struct wire_failure *f = &b->outcome.failure;
	const struct trace_site *s = site_of(b, f->site);

	if (f->kind == FAILURE_SIGNAL)
		strbuf_addf(to, "fatal signal %s", report_word_signal(f->value));
	else if (f->kind == FAILURE_EXIT)
		strbuf_addf(to, "exit status %" PRIu64, f->value);
	else
		strbuf_add(to, report_word_failure(f->kind));
	if (f->kind == FAILURE_DEADLOCK || f->kind == FAILURE_LIVELOCK || f->kind == FAILURE_EXIT)
		return;
	if (s && s->line) {
		strbuf_add(to, " at ");
		trace_site_place(s, true, to);
		if (s->func[0])
			strbuf_addf(to, " in %s", s->func);
	}
	strbuf_add(to, ", thread ");
	report_phrase_thread(b, f->tid, to);
}

static void add_made(const struct trace_bundle *b, const char *verb, uint32_t site, uint32_t tid,
		     struct strbuf *to)
{
	if (site == SITE_NONE && tid >= b->threads.count)
		return;
	strbuf_addf(to, ", %s at ", verb);
	report_phrase_place(b, site, to);
	if (tid < b->threads.count) {
		strbuf_add(to, " by ");
		report_phrase_thread(b, tid, to);
	}
}

static void add_offset(const struct wire_failure *f, struct strbuf *to)
{
	uint64_t offset = f->addr - f->object_base;

	if (f->addr < f->object_base)
		strbuf_addf(to, "%" PRIu64 " bytes before", f->object_base - f->addr);
	else if (offset >= f->object_size)
		strbuf_addf(to, "%" PRIu64 " bytes behind", offset - f->object_size);
	else
		strbuf_addf(to, "at offset %" PRIu64 " of", offset);
}

static void add_heap_block(const struct trace_bundle *b, const struct wire_failure *f,
			   struct strbuf *to)
{
	add_offset(f, to);
	strbuf_addf(to, " a%s heap block of %" PRIu64 " bytes",
		    f->object == OBJECT_FREED ? " freed" : "", f->object_size);
	add_made(b, "allocated", f->alloc_site, f->alloc_tid, to);
	if (f->object == OBJECT_FREED)
		add_made(b, "freed", f->free_site, f->free_tid, to);
}

static void add_address(const struct trace_bundle *b, const struct wire_failure *f,
			struct strbuf *to)
{
	strbuf_addf(to, "address 0x%" PRIx64 " is ", f->addr);
	switch (f->object) {
	case OBJECT_NULL:
		strbuf_add(to, f->addr ? "near the null pointer" : "the null pointer");
		break;
	case OBJECT_HEAP:
	case OBJECT_FREED:
		add_heap_block(b, f, to);
		break;
	case OBJECT_STACK:
		add_offset(f, to);
		strbuf_add(to, " the stack of ");
		report_phrase_thread(b, f->alloc_tid, to);
		break;
	case OBJECT_GLOBAL:
		strbuf_add(to, "in ");
		report_phrase_object(b, f->addr, to);
		break;
	default:
		strbuf_add(to, "no memory heddle knows");
		break;
	}
	strbuf_add_char(to, '\n');
}

static bool has_address(uint32_t kind)
{
	return kind == FAILURE_SIGNAL || kind == FAILURE_DOUBLE_FREE ||
	       kind == FAILURE_INVALID_FREE || kind == FAILURE_USE_AFTER_FREE ||
	       kind == FAILURE_HEAP_RANGE;
}

static bool is_fault(const struct wire_failure *f)
{
	/* SIGSEGV, SIGBUS: of the other signals the address says nothing. */
	return f->kind != FAILURE_SIGNAL || f->value == 11 || f->value == 7;
}

/* Thread joined by a thread that stands at a join; else the holder of what it waits for. */
static void add_waits_for(const struct trace_bundle *b, const struct wire_thread *t,
			  struct strbuf *to)
{
	if (t->waits_for >= b->threads.count || t->waits_for == t->tid)
		return;
	strbuf_add(to, t->pending_kind == EVENT_THREAD_JOIN ? " of " : ", held by ");
	strbuf_addf(to, "T%" PRIu32, t->waits_for);
}

static const char *pending_words(uint8_t kind)
{
	switch (kind) {
	case EVENT_LOCK:
	case EVENT_LOCK_TIMEOUT:
		return "waits for mutex ";
	case EVENT_RDLOCK:
		return "waits to read-lock ";
	case EVENT_WRLOCK:
		return "waits to write-lock ";
	case EVENT_SPIN_LOCK:
		return "waits for spin lock ";
	case EVENT_COND_WAIT:
	case EVENT_COND_WAKE:
		return "waits to be woken at ";
	case EVENT_BARRIER_ARRIVE:
	case EVENT_BARRIER_LEAVE:
		return "waits at barrier ";
	case EVENT_SEM_WAIT:
		return "waits for semaphore ";
	case EVENT_FUTEX_WAIT:
		return "waits at futex ";
	case EVENT_ONCE_BEGIN:
	case EVENT_ONCE_PASS:
		return "waits for once ";
	default:
		return NULL;
	}
}

static void add_pending(const struct trace_bundle *b, const struct wire_thread *t,
			struct strbuf *to)
{
	const char *words = pending_words(t->pending_kind);

	if (t->state == THREAD_SPINNING) {
		strbuf_add(to, "spins");
	} else if (t->pending_kind == EVENT_THREAD_JOIN) {
		strbuf_add(to, "waits for the end");
	} else if (words) {
		strbuf_add(to, words);
		report_phrase_object(b, t->pending_addr, to);
	} else {
		strbuf_addf(to, "stands at %s", report_word_event(t->pending_kind));
	}
	add_waits_for(b, t, to);
	strbuf_add(to, ", at ");
	report_phrase_place(b, t->pending_site, to);
}

static void add_held(const struct trace_bundle *b, const struct wire_thread *t, struct strbuf *to)
{
	for (unsigned i = 0; i < t->held_count && i < WIRE_MAX_HELD; i++) {
		strbuf_addf(to, "   holds %s ", report_word_object(t->held[i].kind));
		report_phrase_object(b, t->held[i].addr, to);
		strbuf_add(to, ", taken at ");
		report_phrase_place(b, t->held[i].site, to);
		strbuf_add_char(to, '\n');
	}
}

static void add_stuck(const struct trace_bundle *b, const struct wire_thread *t, struct strbuf *to)
{
	report_phrase_thread(b, t->tid, to);
	strbuf_add_char(to, ' ');
	add_pending(b, t, to);
	strbuf_add_char(to, '\n');
	add_held(b, t, to);
}

/*
 * Follows waits_for from each stuck thread; a thread met twice closes a cycle.  cycle[] receives
 * its threads in order; returns their number, 0 when nobody waits in a circle.
 */
static size_t find_cycle(const struct trace_bundle *b, uint32_t *cycle, size_t max)
{
	for (size_t start = 0; start < b->threads.count; start++) {
		uint32_t at = (uint32_t)start;
		size_t n = 0;

		while (n < max && at < b->threads.count &&
		       report_detail_stuck(&b->threads.items[at])) {
			cycle[n++] = at;
			at = b->threads.items[at].waits_for;
			if (at == start)
				return n;
		}
	}
	return 0;
}

static void add_cycle(const struct trace_bundle *b, const uint32_t *cycle, size_t n,
		      struct strbuf *to)
{
	strbuf_add(to, n == 1 ? "the thread waits for itself: " : "cycle: ");
	for (size_t i = 0; i < n; i++)
		strbuf_addf(to, "T%" PRIu32 " -> ", cycle[i]);
	strbuf_addf(to, "T%" PRIu32 "\n", cycle[0]);
}

#define MAX_STUCK_SHOWN 8

static void add_stuck_threads(const struct trace_bundle *b, struct strbuf *to)
{
	uint32_t cycle[WIRE_MAX_LIVE];
	size_t n = find_cycle(b, cycle, WIRE_MAX_LIVE), shown = 0, left = 0;
	bool *done = xcalloc(b->threads.count + 1, sizeof(*done));

	if (n > 0)
		add_cycle(b, cycle, n, to);
	for (size_t i = 0; i < n && shown < MAX_STUCK_SHOWN; i++, shown++) {
		add_stuck(b, &b->threads.items[cycle[i]], to);
		done[cycle[i]] = true;
	}
	for (size_t i = 0; i < b->threads.count; i++) {
		if (done[i] || !report_detail_stuck(&b->threads.items[i]))
			continue;
		if (shown++ < MAX_STUCK_SHOWN)
			add_stuck(b, &b->threads.items[i], to);
		else
			left++;
	}
	if (left > 0)
		strbuf_addf(to, "and %zu more threads are stuck\n", left);
	free(done);
}

void report_detail_lines(const struct trace_bundle *b, struct strbuf *to)
{
	const struct wire_failure *f = &b->outcome.failure;

	if (f->text[0] && f->kind != FAILURE_EXIT)
		strbuf_addf(to, "%s\n", f->text);
	if (f->kind == FAILURE_DEADLOCK || f->kind == FAILURE_LIVELOCK)
		add_stuck_threads(b, to);
	else if (has_address(f->kind) && is_fault(f))
		add_address(b, f, to);
}
