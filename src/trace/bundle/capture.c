#include "trace/bundle/capture.h"

#include <string.h>

#include "trace/bundle/resolve.h"

/*
 * The records of an area: at most `count' of them, at most what the area holds, nothing when the
 * area does not lie in the block or is not aligned.  The area is read once, because the other side
 * could change it meanwhile.
 */
static const void *area_items(const struct wire_ctl *ctl, size_t bytes, struct wire_area area,
			      size_t item_bytes, uint64_t *count)
{
	if (area.offset % 8 || area.offset > bytes || area.bytes > bytes - area.offset) {
		*count = 0;
		return NULL;
	}
	if (*count > area.bytes / item_bytes)
		*count = area.bytes / item_bytes;
	return (const char *)ctl + area.offset;
}

static void copy_schedule(struct trace_bundle *b, const struct wire_ctl *ctl, size_t bytes)
{
	uint64_t n = ctl->result.choice_count;
	const struct wire_choice *items =
		area_items(ctl, bytes, ctl->choices, sizeof(struct wire_choice), &n);

	vec_reserve(&b->schedule, n);
	if (n)
		memcpy(b->schedule.items, items, n * sizeof(*items));
	b->schedule.count = n;
}

static void copy_events(struct trace_bundle *b, const struct wire_ctl *ctl, size_t bytes)
{
	uint64_t n = ctl->result.event_count;
	const struct wire_event *items =
		area_items(ctl, bytes, ctl->events, sizeof(struct wire_event), &n);

	vec_reserve(&b->events, n);
	if (n)
		memcpy(b->events.items, items, n * sizeof(*items));
	b->events.count = n;
}

static void copy_threads(struct trace_bundle *b, const struct wire_ctl *ctl)
{
	uint32_t n = ctl->result.threads;

	if (n > WIRE_MAX_THREADS)
		n = WIRE_MAX_THREADS;
	for (uint32_t i = 0; i < n; i++) {
		struct wire_thread t = ctl->threads[i];

		t.name[sizeof(t.name) - 1] = '\0';
		if (t.held_count > WIRE_MAX_HELD)
			t.held_count = WIRE_MAX_HELD;
		vec_push(&b->threads, t);
	}
}

static void copy_notes(struct trace_bundle *b, const struct wire_ctl *ctl)
{
	uint32_t n = ctl->note_count;

	if (n > WIRE_MAX_NOTES)
		n = WIRE_MAX_NOTES;
	for (uint32_t i = 0; i < n; i++)
		vec_push(&b->notes, xstrndup(ctl->notes[i], WIRE_NOTE_BYTES));
}

static void copy_outcome(struct trace_outcome *o, const struct wire_result *r)
{
	o->outcome = r->outcome;
	memcpy(o->reason, r->reason, sizeof(o->reason));
	o->reason[sizeof(o->reason) - 1] = '\0';
	/* What an earlier run of the job left behind is not this run's failure. */
	if (r->outcome != OUTCOME_FAILURE)
		return;
	o->failure = r->failure;
	o->failure.text[sizeof(o->failure.text) - 1] = '\0';
	if (o->failure.stack_depth > WIRE_MAX_STACK)
		o->failure.stack_depth = WIRE_MAX_STACK;
}

static void copy_counters(struct trace_counters *c, const struct wire_result *r)
{
	c->runs = r->runs;
	c->steps = r->steps;
	c->total_steps = r->total_steps;
	c->preemptions = r->preemptions;
	c->events = r->event_count;
	c->events_lost = r->event_lost;
	c->choices = r->choice_count;
	c->choices_lost = r->choice_lost;
	c->clock = r->clock;
	c->exit_status = r->exit_status;
	c->diverged_at = r->diverged_at;
}

static void copy_job(struct trace_meta *m, const struct wire_ctl *ctl)
{
	m->wire_version = WIRE_VERSION;
	m->strategy = ctl->job.strategy;
	m->model = ctl->job.model;
	m->engine = ctl->result.engine;
	m->flags = ctl->job.flags;
	m->bound = ctl->job.bound;
	m->seed = ctl->result.seed;
	m->max_steps = ctl->job.max_steps;
	m->expected_steps = ctl->job.expected_steps;
}

int trace_capture(struct trace_bundle *b, const struct wire_ctl *ctl, size_t bytes, bool all_sites,
		  struct err *e)
{
	uint32_t modules;
	int rc;

	if (bytes < sizeof(*ctl) || ctl->magic != WIRE_MAGIC || ctl->version != WIRE_LAYOUT)
		return err_set(e, ERR_GUEST, "the control block is damaged");
	copy_job(&b->meta, ctl);
	copy_outcome(&b->outcome, &ctl->result);
	copy_counters(&b->counters, &ctl->result);
	copy_schedule(b, ctl, bytes);
	copy_events(b, ctl, bytes);
	copy_threads(b, ctl);
	copy_notes(b, ctl);
	modules = ctl->module_count;
	if (modules > WIRE_MAX_MODULES)
		modules = WIRE_MAX_MODULES;
	rc = trace_resolve(b, ctl->modules, modules, all_sites, e);
	if (rc)
		trace_bundle_fini(b);
	return rc;
}
