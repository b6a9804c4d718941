#include "stable/text.h"

#include <inttypes.h>

#include "stable/symbols.h"

void stable_text_messages(const struct stable_ctl *ctl, size_t *from, struct strbuf *to)
{
	size_t bytes = ctl->text_bytes < STABLE_TEXT_BYTES ? ctl->text_bytes : STABLE_TEXT_BYTES;
	for (size_t i = *from; i < bytes; i++) {
		/* Somebody is still writing here. */
		if (!ctl->text[i])
			return;
		if (ctl->text[i] != '\n')
			continue;
		strbuf_add(to, "heddle stable: ");
		stable_symbols_expand(ctl, ctl->text + *from, i - *from, to);
		strbuf_add_char(to, '\n');
		*from = i + 1;
	}
}

static const struct {
	const char *one, *several;
} loose[STABLE_LOOSE_COUNT] = {
#define X(NAME, one, several) {one, several},
#include "wire/stable_loose.def"
#undef X
};

/* Processes that never told what they did count as well. */
static uint64_t loose_count(const struct stable_ctl *ctl, int what)
{
	uint64_t count = ctl->loose[what].count;
	for (int i = 0; what == STABLE_LOOSE_CHILD && i < STABLE_CHILDREN; i++)
		count += ctl->child[i] != 0;
	return count;
}

bool stable_text_is_partial(const struct stable_ctl *ctl)
{
	for (int i = 0; i < STABLE_LOOSE_COUNT; i++) {
		if (loose_count(ctl, i))
			return true;
	}
	return false;
}

void stable_text_loose_list(const struct stable_ctl *ctl, int except, struct strbuf *to)
{
	const char *before = "";
	for (int i = 0; i < STABLE_LOOSE_COUNT; i++) {
		uint64_t count = i == except ? 0 : loose_count(ctl, i);
		if (!count)
			continue;
		strbuf_addf(to, "%s%" PRIu64 " %s", before, count,
			    count == 1 ? loose[i].one : loose[i].several);
		before = ", ";
		if (!ctl->loose[i].pc)
			continue;
		strbuf_add(to, count == 1 ? " (at " : " (first at ");
		stable_symbols_pc(ctl, ctl->loose[i].pc, to);
		strbuf_add_char(to, ')');
	}
}

void stable_text_loose(const struct stable_ctl *ctl, struct strbuf *to)
{
	if (!stable_text_is_partial(ctl))
		return;
	strbuf_add(to, "heddle stable: not scheduled: ");
	stable_text_loose_list(ctl, STABLE_LOOSE_COUNT, to);
	if (ctl->loose[STABLE_LOOSE_FUTEX].count || ctl->loose[STABLE_LOOSE_ATOMIC].count ||
	    ctl->loose[STABLE_LOOSE_SPIN].count || ctl->loose[STABLE_LOOSE_STALL].count)
		strbuf_add(to, "; --policy=serial orders memory as well, and so does "
			       "heddle cc --flavor=stable");
	strbuf_add_char(to, '\n');
}

uint64_t stable_text_whole_hash(const struct stable_ctl *ctl)
{
	if (!ctl->child_count)
		return ctl->hash;
	return (ctl->hash ^ ctl->child_hash) * UINT64_C(0x9e3779b97f4a7c15);
}

void stable_text_hash(const struct stable_ctl *ctl, struct strbuf *to)
{
	uint64_t hash = stable_text_whole_hash(ctl);
	strbuf_addf(to, "heddle stable: schedule hash %016" PRIx64 " (%" PRIu64 " operations", hash,
		    ctl->operations + ctl->child_operations);
	if (ctl->child_count)
		strbuf_addf(to, " in %u processes", ctl->child_count + 1);
	strbuf_add(to, stable_text_is_partial(ctl) ? ", partial)\n" : ")\n");
}

static void add_waiter(const struct stable_ctl *ctl, const struct stable_waiter *w,
		       struct strbuf *to)
{
	strbuf_addf(to, "  T%u waits in %s", w->tid, stable_log_op_name(w->op));
	if (w->kind == STABLE_WAIT_THREAD) {
		strbuf_addf(to, " for the end of T%u", w->owner);
	} else {
		if (w->obj != UINT32_MAX)
			strbuf_addf(to, " for %s%u", stable_log_kind_letter(w->op), w->obj);
		if (w->owner != UINT32_MAX)
			strbuf_addf(to, ", held by T%u", w->owner);
	}
	strbuf_add_char(to, '\n');
	for (uint32_t i = 0; i < w->site.count && i < STABLE_FRAMES; i++) {
		strbuf_add(to, i == 0 ? "      at " : "      by ");
		stable_symbols_pc(ctl, w->site.pc[i], to);
		strbuf_add_char(to, '\n');
	}
}

/* "T1 -> T2 -> T1": follows owners from the first waiter in the cycle. */
static void add_cycle(const struct stable_ctl *ctl, uint32_t count, struct strbuf *to)
{
	uint32_t first = UINT32_MAX, at;
	for (uint32_t i = 0; i < count && first == UINT32_MAX; i++) {
		if (ctl->waiter[i].in_cycle)
			first = ctl->waiter[i].tid;
	}
	if (first == UINT32_MAX) {
		strbuf_add(to, "  no thread is left that could wake another\n");
		return;
	}
	strbuf_addf(to, "  cycle: T%u", first);
	at = first;
	for (uint32_t steps = 0; steps <= count; steps++) {
		uint32_t next = UINT32_MAX;
		for (uint32_t i = 0; i < count; i++) {
			if (ctl->waiter[i].tid == at)
				next = ctl->waiter[i].owner;
		}
		if (next == UINT32_MAX)
			break;
		strbuf_addf(to, " waits for T%u%s", next, next == first ? "" : ", which");
		if (next == first)
			break;
		at = next;
	}
	strbuf_add_char(to, '\n');
}

void stable_text_deadlock(const struct stable_ctl *ctl, struct strbuf *to)
{
	uint32_t count = ctl->waiters < STABLE_WAITERS ? ctl->waiters : STABLE_WAITERS;
	strbuf_addf(to, "heddle stable: deadlock at logical time %" PRIu64 "\n", ctl->time);
	add_cycle(ctl, count, to);
	for (uint32_t i = 0; i < count; i++) {
		if (ctl->waiter[i].in_cycle)
			add_waiter(ctl, &ctl->waiter[i], to);
	}
	for (uint32_t i = 0; i < count; i++) {
		if (!ctl->waiter[i].in_cycle)
			add_waiter(ctl, &ctl->waiter[i], to);
	}
	strbuf_add(to, "  the same schedule, and so the same deadlock, comes on every run\n");
}

void stable_text_counters(const struct stable_ctl *ctl, struct strbuf *to)
{
	strbuf_addf(to,
		    "heddle stable: %" PRIu64 " turns (%" PRIu64 " idle), %" PRIu64
		    " hand-offs, %" PRIu64 " sleeps, %u threads (%u at once)\n",
		    ctl->time, ctl->idle_turns, ctl->handoffs, ctl->sleeps, ctl->threads,
		    ctl->peak);
	strbuf_addf(to,
		    "heddle stable: context switches %" PRId64 " voluntary, %" PRId64
		    " involuntary\n",
		    ctl->switches_voluntary, ctl->switches_involuntary);
	for (uint32_t i = 0; i < ctl->sobas && i < STABLE_SOBAS; i++) {
		const struct stable_soba *s = &ctl->soba[i];
		strbuf_addf(to, "heddle stable: soft barrier g%" PRIu64 " (%" PRIu64 " threads, ",
			    s->key_ordinal, s->size);
		stable_symbols_pc(ctl, s->site, to);
		strbuf_addf(to, "): %" PRIu64 " complete, %" PRIu64 " timeouts", s->full,
			    s->timeouts);
		if (s->full)
			strbuf_addf(to, ", %" PRIu64 " turns to gather", s->gather_turns / s->full);
		if (s->skipped)
			strbuf_addf(to, ", %" PRIu64 " waits spared", s->skipped);
		strbuf_add_char(to, '\n');
	}
}

static void add_side(const struct stable_log *log, size_t at, char mark, struct strbuf *to)
{
	strbuf_addf(to, "%c ", mark);
	if (at >= log->op_count) {
		strbuf_add(to, "(the schedule ends here)\n");
		return;
	}
	stable_log_text(log->ops[at], to);
	strbuf_add_char(to, '\n');
	stable_log_stack(log, log->ops[at], mark == '-' ? "-          at " : "+          at ", to);
}

void stable_text_difference(const struct stable_log *a, const struct stable_log *b, size_t at_a,
			    size_t at_b, struct strbuf *to)
{
	strbuf_addf(to, "the schedules differ at operation %zu (of %zu and %zu)\n", at_a + 1,
		    a->op_count, b->op_count);
	for (size_t i = at_a < 5 ? 0 : at_a - 5; i < at_a; i++) {
		strbuf_add(to, "  ");
		stable_log_text(a->ops[i], to);
		strbuf_add_char(to, '\n');
	}
	add_side(a, at_a, '-', to);
	add_side(b, at_b, '+', to);
}
