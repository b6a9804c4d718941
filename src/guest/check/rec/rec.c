#include "guest/check/rec/rec.h"

#include <string.h>

#include "guest/check/rec/hidden.h"
#include "guest/check/thread.h"

struct wire_ctl *rt_ctl;
int rt_inside;

/* Where the next record goes; RT_RUN because a run starts with empty logs. */
static RT_RUN struct {
	struct wire_event *next_event, *end_event;
	struct wire_choice *first_choice, *next_choice, *end_choice;
	int events_on, markers_on;
} log_state;

void rec_run_begin(void)
{
	struct wire_ctl *c = rt_ctl;
	char *base = (char *)c;

	/* The runs of a batch share the event area, one behind the other. */
	if (c->job.strategy != STRATEGY_BATCH || c->result.runs == 0)
		c->result.event_count = 0;
	log_state.next_event = (struct wire_event *)(base + c->events.offset);
	log_state.end_event = log_state.next_event + c->events.bytes / sizeof(struct wire_event);
	log_state.next_event += c->result.event_count;
	log_state.first_choice = (struct wire_choice *)(base + c->choices.offset);
	log_state.next_choice = log_state.first_choice;
	log_state.end_choice =
		log_state.first_choice + c->choices.bytes / sizeof(struct wire_choice);
	log_state.events_on = (c->job.flags & JOB_EVENTS) != 0;
	log_state.markers_on = log_state.events_on && (c->job.flags & JOB_MARKERS);
	c->result.event_lost = 0;
	c->result.choice_count = c->result.choice_lost = 0;
}

void rec_raw(const struct wire_event *event)
{
	if (!log_state.events_on)
		return;
	if (unlikely(log_state.next_event == log_state.end_event)) {
		rt_ctl->result.event_lost++;
		return;
	}
	*log_state.next_event++ = *event;
	/* The count follows the record: after a crash it never covers a half-written one. */
	__atomic_store_n(&rt_ctl->result.event_count, rt_ctl->result.event_count + 1,
			 __ATOMIC_RELEASE);
}

static void record(enum event_kind kind, uint8_t size, uint32_t site, uint64_t addr, uint64_t value,
		   uint32_t aux)
{
	struct rt_thread *t = rt_current;
	uint32_t tix = t->next_tix++;

	if (!log_state.events_on)
		return;
	struct wire_event e = {
		.addr = addr,
		.value = value,
		.site = site,
		.tix = tix,
		.aux = aux,
		.tid = t->tid,
		.kind = (uint8_t)kind,
		.size = size,
	};
	rec_raw(&e);
}

void rec_access(enum event_kind kind, uint8_t size, uint32_t site, uint64_t addr, uint64_t value,
		uint32_t aux)
{
	struct rt_thread *t = rt_current;

	record(kind, size, site, addr, value, aux);
	/* The event was the end of a wait that took time. */
	if (unlikely(t->clock_due)) {
		t->clock_due = 0;
		hidden_update(hidden_cell(HIDDEN_CLOCK, 0), t->clock_from, t->clock_to, false, site);
	}
}

void rec_event(enum event_kind kind, uint32_t site, uint64_t addr, uint64_t value, uint32_t aux)
{
	rec_access(kind, 0, site, addr, value, aux);
}

void rec_marker(enum event_kind kind, uint32_t site, uint64_t addr, uint64_t value)
{
	if (log_state.markers_on || ((kind == EVENT_CALL || kind == EVENT_OUTSIDE) && rec_details()))
		rec_access(kind, 0, site, addr, value, 0);
	else
		rt_current->next_tix++;
}

bool rec_details(void)
{
	return log_state.events_on && (rt_ctl->job.flags & JOB_DETAILS);
}

void rec_drain(uint32_t site, bool needless)
{
	if (!wire_model_buffers(rt_ctl->job.model))
		return;
	if (rec_details())
		rec_event(EVENT_DRAIN, site, 0, 0, needless);
	else
		rt_current->next_tix++;
}

void rec_stack(uint64_t sp)
{
	struct rt_thread *t = rt_current;
	uint64_t from = t->deepest;
	struct wire_event e = { .addr = from < sp ? from : sp,
				.value = from < sp ? sp - from : from - sp,
				.site = SITE_NONE,
				.tix = t->next_tix - 1,
				.tid = t->tid,
				.kind = EVENT_STACK,
				.aux = from < sp ? STACK_RETURNS : STACK_MADE };

	t->deepest = sp;
	if (from != 0 && from != sp)
		rec_raw(&e);
}

void rec_data(const void *addr, size_t n)
{
	const char *bytes = addr;

	if (!rec_details())
		return;
	for (size_t at = 0; at < n; at += 8) {
		struct wire_event e = { .addr = (uint64_t)(bytes + at),
					.site = SITE_NONE,
					.tix = rt_current->next_tix - 1,
					.tid = rt_current->tid,
					.kind = EVENT_DATA,
					.size = (uint8_t)(n - at < 8 ? n - at : 8) };

		memcpy(&e.value, bytes + at, e.size);
		rec_raw(&e);
	}
}

void rec_choice(enum choice_kind kind, uint32_t tid, uint32_t arg)
{
	struct wire_choice *last = log_state.next_choice - 1;

	if (kind == CHOICE_RUN && log_state.next_choice != log_state.first_choice &&
	    last->kind == CHOICE_RUN && last->tid == tid && last->arg != UINT32_MAX) {
		last->arg++;
		return;
	}
	if (unlikely(log_state.next_choice == log_state.end_choice)) {
		rt_ctl->result.choice_lost++;
		return;
	}
	*log_state.next_choice++ = (struct wire_choice){ (uint8_t)kind, 0, (uint16_t)tid, arg };
	__atomic_store_n(&rt_ctl->result.choice_count, rt_ctl->result.choice_count + 1,
			 __ATOMIC_RELEASE);
}
