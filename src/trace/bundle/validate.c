#include "trace/bundle/validate.h"

#include <inttypes.h>
#include <stdlib.h>

static const bool known_kinds[EVENT_KIND_MAX] = {
#define X(name, number, text, class) [number] = true,
#include "wire/events.def"
#undef X
};

static bool is_kind(unsigned kind)
{
	return kind < EVENT_KIND_MAX && known_kinds[kind];
}

/* Fields of 32 bits write "no thread" in either width. */
static bool is_thread_or_none(uint32_t tid, size_t threads)
{
	return tid < threads || tid == THREAD_NONE || tid == UINT32_MAX;
}

static bool is_site_or_none(uint32_t site, uint32_t sites)
{
	return site < sites || site == SITE_NONE;
}

static bool is_terminated(const char *text, size_t n)
{
	return memchr(text, '\0', n) != NULL;
}

static int check_meta(const struct trace_meta *m, struct err *e)
{
	if (m->wire_version == 0)
		return err_set(e, ERR_FORMAT, "meta: version 0 of the events does not exist");
	if (m->wire_version > WIRE_VERSION)
		return err_set(
			e, ERR_VERSION,
			"made by a newer heddle: event version %u, this heddle reads up to %u",
			m->wire_version, WIRE_VERSION);
	if (m->strategy == STRATEGY_BATCH || m->strategy > STRATEGY_MIX)
		return err_set(e, ERR_FORMAT, "meta: unknown strategy %u", m->strategy);
	if (m->model >= MODEL_COUNT)
		return err_set(e, ERR_FORMAT, "meta: unknown memory model %u", m->model);
	if (m->engine > ENGINE_THREADS)
		return err_set(e, ERR_FORMAT, "meta: unknown engine %u", m->engine);
	return 0;
}

static int check_thread(const struct trace_bundle *b, size_t i, uint32_t sites, struct err *e)
{
	const struct wire_thread *t = &b->threads.items[i];
	bool parent_ok = t->parent < i || t->parent == THREAD_NONE || (i == 0 && t->parent == 0);

	if (t->tid != i || !parent_ok)
		return err_set(e, ERR_FORMAT, "threads: entry %zu has number %u and parent %u", i,
			       t->tid, t->parent);
	if (t->state > THREAD_GONE || !is_kind(t->pending_kind) || t->held_count > WIRE_MAX_HELD)
		return err_set(e, ERR_FORMAT, "threads: thread %zu is in an unknown state", i);
	if (!is_thread_or_none(t->waits_for, b->threads.count))
		return err_set(e, ERR_FORMAT, "threads: thread %zu waits for thread %u", i,
			       t->waits_for);
	if (!is_site_or_none(t->pending_site, sites) || !is_site_or_none(t->create_site, sites))
		return err_set(e, ERR_FORMAT, "threads: thread %zu names an unknown site", i);
	for (unsigned k = 0; k < t->held_count; k++) {
		if (!is_site_or_none(t->held[k].site, sites) || t->held[k].kind > OBJ_THREAD)
			return err_set(e, ERR_FORMAT, "threads: thread %zu holds an unknown object",
				       i);
	}
	if (!is_terminated(t->name, sizeof(t->name)))
		return err_set(e, ERR_FORMAT, "threads: the name of thread %zu does not end", i);
	return 0;
}

static int check_threads(const struct trace_bundle *b, uint32_t sites, struct err *e)
{
	int rc = 0;

	if (b->threads.count == 0 || b->threads.count > WIRE_MAX_THREADS)
		return err_set(e, ERR_FORMAT, "threads: %zu threads", b->threads.count);
	for (size_t i = 0; i < b->threads.count && !rc; i++)
		rc = check_thread(b, i, sites, e);
	return rc;
}

static int check_outcome(const struct trace_bundle *b, uint32_t sites, struct err *e)
{
	const struct wire_failure *f = &b->outcome.failure;
	size_t threads = b->threads.count;

	if (b->outcome.outcome > OUTCOME_ASSUME || f->kind > FAILURE_SYNC_MISUSE ||
	    f->object > OBJECT_GLOBAL || f->stack_depth > WIRE_MAX_STACK)
		return err_set(e, ERR_FORMAT, "failure: unknown kind");
	if ((b->outcome.outcome == OUTCOME_FAILURE) != (f->kind != FAILURE_NONE))
		return err_set(e, ERR_FORMAT, "failure: outcome and failure contradict each other");
	if (!is_terminated(f->text, sizeof(f->text)) ||
	    !is_terminated(b->outcome.reason, sizeof(b->outcome.reason)))
		return err_set(e, ERR_FORMAT, "failure: a text does not end");
	if (f->kind == FAILURE_NONE)
		return 0;
	if (!is_thread_or_none(f->tid, threads) || !is_thread_or_none(f->alloc_tid, threads) ||
	    !is_thread_or_none(f->free_tid, threads))
		return err_set(e, ERR_FORMAT, "failure: unknown thread");
	if (!is_site_or_none(f->site, sites) || !is_site_or_none(f->alloc_site, sites) ||
	    !is_site_or_none(f->free_site, sites))
		return err_set(e, ERR_FORMAT, "failure: unknown site");
	return 0;
}

static int check_schedule(const struct trace_bundle *b, struct err *e)
{
	for (size_t i = 0; i < b->schedule.count; i++) {
		const struct wire_choice *c = &b->schedule.items[i];
		bool none = c->kind == CHOICE_PICK && c->tid == THREAD_NONE;

		if (c->kind < CHOICE_RUN || (c->kind > CHOICE_PICK && c->kind != CHOICE_SPURIOUS) || c->zero ||
		    (c->kind == CHOICE_RUN && c->arg == 0))
			return err_set(e, ERR_FORMAT, "schedule: choice %zu is malformed", i);
		if (c->tid >= b->threads.count && !none)
			return err_set(e, ERR_FORMAT, "schedule: choice %zu names thread %u of %zu",
				       i, c->tid, b->threads.count);
	}
	return 0;
}

static int check_sites(const struct trace_bundle *b, uint32_t sites, struct err *e)
{
	for (size_t i = 0; i < b->sites.count; i++) {
		const struct trace_site *s = &b->sites.items[i];

		if (s->id >= sites || (i && s->id <= s[-1].id))
			return err_set(e, ERR_FORMAT, "sites: number %u is out of place", s->id);
		if (!is_kind(s->kind))
			return err_set(e, ERR_FORMAT, "sites: site %u has unknown kind %u", s->id,
				       s->kind);
	}
	return 0;
}

int trace_validate_parts(const struct trace_bundle *b, struct err *e)
{
	uint32_t sites = trace_meta_site_count(&b->meta);
	int rc;

	rc = check_meta(&b->meta, e);
	if (!rc)
		rc = check_threads(b, sites, e);
	if (!rc)
		rc = check_outcome(b, sites, e);
	if (!rc)
		rc = check_schedule(b, e);
	if (!rc)
		rc = check_sites(b, sites, e);
	return rc;
}

void trace_validate_init(struct trace_validate *v, const struct trace_bundle *b)
{
	v->threads = (uint32_t)b->threads.count;
	v->sites = trace_meta_site_count(&b->meta);
	v->buffered = wire_model_buffers(b->meta.model);
	v->index = 0;
	v->next_tix = xcalloc(v->threads, sizeof(*v->next_tix));
}

/* Events whose aux is a thread. */
static bool names_thread(unsigned kind)
{
	switch (kind) {
	case EVENT_THREAD_BEGIN:
	case EVENT_THREAD_CREATE:
	case EVENT_THREAD_JOIN:
	case EVENT_THREAD_DETACH:
	case EVENT_THREAD_CANCEL:
	case EVENT_COND_WAKE:
		return true;
	default:
		return false;
	}
}

static bool may_commit_late(unsigned kind)
{
	return kind == EVENT_WRITE || kind == EVENT_WRITE_RANGE;
}

int trace_validate_event(struct trace_validate *v, const struct wire_event *event, struct err *e)
{
	uint64_t i = v->index++;

	if (!is_kind(event->kind) || event->kind == EVENT_NONE)
		return err_set(e, ERR_FORMAT, "events: event %" PRIu64 " has unknown kind %u", i,
			       event->kind);
	if (event->tid >= v->threads)
		return err_set(e, ERR_FORMAT, "events: event %" PRIu64 " names thread %u of %u", i,
			       event->tid, v->threads);
	if (!is_site_or_none(event->site, v->sites))
		return err_set(e, ERR_FORMAT, "events: event %" PRIu64 " names site %u of %u", i,
			       event->site, v->sites);
	if (names_thread(event->kind) && !is_thread_or_none(event->aux, v->threads))
		return err_set(e, ERR_FORMAT, "events: event %" PRIu64 " refers to thread %u of %u",
			       i, event->aux, v->threads);
	if (event->tix >= v->next_tix[event->tid])
		v->next_tix[event->tid] = (uint64_t)event->tix + 1;
	else if (!v->buffered || !may_commit_late(event->kind))
		return err_set(e, ERR_FORMAT,
			       "events: event %" PRIu64 " of thread %u is out of order", i,
			       event->tid);
	return 0;
}

void trace_validate_fini(struct trace_validate *v)
{
	free(v->next_tix);
	v->next_tix = NULL;
}
