#include "explore/live/ingest.h"

#include <assert.h>
#include <stdlib.h>

#include "explore/live/ingest_thread.h"
#include "explore/learn/product.h"

void ingest_init(struct ingest *x, struct learn *l, struct cells *cells, unsigned model)
{
	memset(x, 0, sizeof(*x));
	x->l = l;
	x->cells = cells;
	x->model = model;
}

static void clear_threads(struct ingest *x)
{
	for (size_t i = 0; i < x->threads.count; i++) {
		vec_free(&x->threads.items[i].reads);
		vec_free(&x->threads.items[i].issued);
		vec_free(&x->threads.items[i].visits);
		vec_free(&x->threads.items[i].taken);
	}
	vec_clear(&x->threads);
}

void ingest_fini(struct ingest *x)
{
	clear_threads(x);
	vec_free(&x->threads);
	vec_free(&x->image);
	vec_free(&x->known);
	vec_free(&x->first_known);
	vec_free(&x->ends);
	vec_free(&x->classes);
	vec_free(&x->range);
	vec_free(&x->call);
	vec_free(&x->freed);
	vec_free(&x->requests);
	vec_free(&x->ended);
	free(x->names);
}

/* ---- threads ---- */

static void begin_thread(struct ingest *x, uint32_t number, uint32_t joined)
{
	struct ingest_thread t = {.joined = joined};

	t.number = number;
	t.at.node = x->l->threads.items[t.number].root;
	vec_push(&x->threads, t);
}

/*
 * Which thread is begun: one that has other joins behind it meets other threads, so it is another
 * one.  Classes say what a thread has behind it, and have to be true wherever it is begun.
 */
static uint32_t child_of(struct ingest *x, const struct ingest_thread *t, uint64_t start)
{
	return learn_thread(x->l, t->number, t->children,
			    t->joined ? intern_hash(start, t->joined) : start);
}

/* THREAD_CREATE and THREAD_JOIN, which name other threads. */
static int convert_life(struct ingest *x, struct ingest_thread *t, const struct wire_event *ev,
			bool done, struct ingest_step *s, struct err *e)
{
	uint32_t child;

	vec_clear(&x->classes);
	*s = (struct ingest_step){.step = {.site = ev->site, .tix = ev->tix, .object = LEARN_NONE}};
	if (ev->kind == EVENT_THREAD_JOIN) {
		if (ev->aux >= x->threads.count)
			return err_set(e, ERR_FORMAT, "a thread is joined that was never begun");
		s->step.op = LEARN_JOIN;
		s->step.other = x->threads.items[ev->aux].number;
		if (done)
			t->joined = intern_add(&x->l->foot.sets, t->joined, s->step.other);
		return 1;
	}
	child = child_of(x, t, ev->value);
	s->step.op = LEARN_FORK;
	s->step.other = child;
	if (!done)
		return 1;
	if (ev->aux != x->threads.count)
		return err_set(e, ERR_FORMAT, "threads are not numbered as they are begun");
	t->children++;
	return 1;
}

/* ---- one event ---- */

/* A store that was issued reaches memory: no step of its own. */
static bool is_commit(struct ingest_thread *t, const struct wire_event *ev)
{
	for (size_t i = 0; ev->kind == EVENT_WRITE && i < t->issued.count; i++) {
		if (t->issued.items[i].tix != ev->tix)
			continue;
		memmove(&t->issued.items[i], &t->issued.items[i + 1],
			(t->issued.count - i - 1) * sizeof(t->issued.items[0]));
		t->issued.count--;
		return true;
	}
	return false;
}

/* The bytes of a range that are tracked, from the DATA events behind it. */
static void take_data(struct ingest *x, struct learn_step *s, const struct wire_event *ev,
		      const struct wire_event *end)
{
	const struct wire_event *d = ev + 1;

	for (; d < end && d->kind == EVENT_DATA; d++)
		ingest_image_write(x, d->addr, &d->value, d->size <= 8 ? d->size : 8);
	s->data = (uint32_t)x->l->data.count;
	for (uint64_t i = 0; i < s->value; i++)
		vec_push(&x->l->data, x->image.items[s->offset + i]);
}

static bool is_memory(const struct wire_event *ev)
{
	return (ev->kind >= EVENT_READ && ev->kind <= EVENT_CAS_FAIL && ev->kind != EVENT_FENCE) ||
	       ev->kind == EVENT_ALLOC || ev->kind == EVENT_FREE || ev->kind == EVENT_STACK;
}

static int convert(struct ingest *x, struct ingest_thread *t, const struct wire_event *ev,
		   bool done, struct ingest_step *s, struct err *e)
{
	int rc;

	if (ev->kind == EVENT_THREAD_CREATE || ev->kind == EVENT_THREAD_JOIN)
		rc = convert_life(x, t, ev, done, s, e);
	else
		rc = ingest_convert(x, t, ev, done, s, e);
	if (rc > 0)
		ingest_find_place(x, t, ev, &s->step);
	if (rc > 0)
		s->step.classes = intern_set(&x->l->foot.prints, x->classes.items,
					     (uint32_t)x->classes.count);
	return rc;
}

static bool has_ended(const struct ingest *x, uint32_t object)
{
	for (size_t i = 0; i < x->ended.count; i++)
		if (x->ended.items[i] == object)
			return true;
	return false;
}

/*
 * Objects that are used after their end, by a thread that nobody stops, were made anew by a static
 * initialiser: for them an end is not the end.
 */
static void follow_life(struct ingest *x, const struct learn_step *s)
{
	struct learn_object *o;

	if (s->object == LEARN_NONE || x->l->objects.items[s->object].kind == LEARN_MEMORY)
		return;
	o = &x->l->objects.items[s->object];
	if (s->op == LEARN_DESTROY && !has_ended(x, s->object)) {
		vec_push(&x->ended, s->object);
	} else if (s->op == LEARN_SET) {
		for (size_t i = 0; i < x->ended.count; i++)
			if (x->ended.items[i] == s->object)
				x->ended.items[i] = LEARN_NONE;
	} else if (s->op != LEARN_WAKE && !o->revives && has_ended(x, s->object)) {
		o->revives = true;
		x->l->version++;
	}
}
/* The bytes of a string that are tracked, run by run: what it holds decides how far it goes. */
static int add_string(struct ingest *x, struct ingest_thread *t, const struct wire_event *ev,
		      struct err *e)
{
	uint64_t at = ev->addr, end = ev->addr + ev->value;
	struct ingest_step s;
	uint32_t steps = 0;
	int rc = 0;

	for (; rc == 0 && at < end; steps++) {
		rc = ingest_convert_string(x, t, ev, &at, end, &s);
		if (rc <= 0)
			break;
		s.step.classes = intern_set(&x->l->foot.prints, x->classes.items,
					    (uint32_t)x->classes.count);
		rc = ingest_take_step(x, t, ev, &s, e);
	}
	vec_push(&t->reads, steps);
	return rc < 0 ? rc : 0;
}

/* What was read is in the DATA events behind it. */
static int see_data(struct ingest *x, const struct ingest_thread *t, const struct wire_event *ev,
		    const struct wire_event *end, struct err *e)
{
	int rc = 0;

	for (const struct wire_event *d = ev + 1; rc == 0 && d < end && d->kind == EVENT_DATA; d++)
		rc = ingest_see(x, t, d, ev->site, e);
	return rc;
}

static void note_issue(struct ingest_thread *t, const struct wire_event *ev)
{
	struct ingest_store s = {ev->addr, ev->value, ev->tix, ev->size <= 8 ? ev->size : 8};

	vec_push(&t->issued, s);
}

/* The next event of the thread is a weak compare and swap. */
static int add_weak(struct ingest *x, struct ingest_thread *t, const struct wire_event *ev,
		    struct err *e)
{
	x->may_spur = t->weak = true;
	t->weak_failed = ev->aux != 0;
	t->weak_expected = ev->value;
	/* Up to the first thread every execution counts as the same. */
	if (x->spurious && x->threads.count == 1) {
		x->l->clash[0] = x->l->clash[1] = SITE_NONE;
		return err_set(e, ERR_UNSUPPORTED,
			       "a weak compare and swap may fail before there are threads");
	}
	return 0;
}

static int add_event(struct ingest *x, struct ingest_thread *t, const struct wire_event *ev,
		     const struct wire_event *end, struct err *e)
{
	struct ingest_step s;
	int rc = ingest_cancel(x, ev, e);

	if (rc)
		return rc;
	if (ev->kind == EVENT_WEAK)
		return add_weak(x, t, ev, e);
	if (is_commit(t, ev)) {
		ingest_image_update(x, ev);
		return 0;
	}
	if (ingest_is_point(ev))
		t->leads = false;
	if (ev->kind == EVENT_CALL)
		ingest_image_forget(x);
	if (ev->kind == EVENT_READ_RANGE) {
		rc = see_data(x, t, ev, end, e);
		if (rc)
			return rc;
		if ((ev->aux & EVENT_STRING) && x->threads.count > 1)
			return add_string(x, t, ev, e);
	}
	rc = convert(x, t, ev, true, &s, e);
	if (ev->kind == EVENT_ISSUE)
		note_issue(t, ev);
	if (rc > 0 && s.step.op == LEARN_WRITE_BYTES) {
		take_data(x, &s.step, ev, end);
		rc = ingest_share_data(x, t, &s.step, e) ? ERR_MISMATCH : 1;
	} else if (rc > 0 && s.step.op == LEARN_FD) {
		rc = ingest_call(x, &s.step, ev, end, e);
	} else {
		ingest_image_update(x, ev);
	}
	if (rc <= 0 || (x->threads.count == 1 && is_memory(ev)))
		return rc < 0 ? rc : 0;
	x->destroys |= s.step.op == LEARN_DESTROY && x->threads.count > 1;
	follow_life(x, &s.step);
	s.step.visits = ingest_visit(x, t, ev->site);
	rc = ingest_take_step(x, t, ev, &s, e);
	if (rc == 0 && s.step.op == LEARN_FORK)
		begin_thread(x, s.step.other, t->joined);
	return rc;
}

/* ---- the end of an execution ---- */

static int add_pending(struct ingest *x, const struct wire_event *ev, const struct wire_event *end,
		       struct err *e)
{
	struct ingest_thread *t = &x->threads.items[ev->tid];
	struct wire_event op = *ev;
	struct ingest_step s;
	int rc = ingest_cancel(x, ev, e);

	if (rc)
		return rc;
	op.kind = (uint8_t)(ev->aux & 0xff);
	op.aux = ev->aux >> 8;
	/* Nothing is known of what a library function will touch. */
	if (op.kind == EVENT_IO || op.kind == EVENT_SLEEP || op.kind == EVENT_YIELD ||
	    op.kind == EVENT_OUTSIDE)
		return 0;
	if (x->threads.count == 1 && is_memory(&op))
		return 0;
	rc = convert(x, t, &op, false, &s, e);
	if (rc > 0 && s.step.op == LEARN_FD)
		rc = ingest_call(x, &s.step, ev, end, e);
	if (rc <= 0)
		return rc;
	/* Nothing is known of its bytes. */
	if (s.step.op == LEARN_WRITE_BYTES)
		return 0;
	s.step.tix -= t->waited;
	rc = learn_announce(x->l, &t->at, &s.step, e);
	if (rc == 0 && s.step.op == LEARN_PARK) {
		struct learn_cursor here = t->at;

		ingest_take_back(x, t, ev);
		t->at = here;
	}
	return rc;
}

static bool is_local(uint32_t kind)
{
	return kind == FAILURE_ASSERT || kind == FAILURE_ABORT || kind == FAILURE_SIGNAL ||
	       kind == FAILURE_EXIT || kind == FAILURE_HEAP_RANGE || kind == FAILURE_INVALID_FREE;
}

/* What ended the execution, as the last step of the thread in which it happened. */
static int add_ending(struct ingest *x, const struct wire_batch_run *run, uint32_t last,
		      struct err *e)
{
	struct learn_step s = {.object = LEARN_NONE, .other = LEARN_NONE, .site = SITE_NONE};
	struct ingest_thread *t;

	if (run->outcome == OUTCOME_FAILURE && is_local(run->failure_kind)) {
		s.op = LEARN_FAIL;
		s.value = run->failure_kind;
		s.site = run->failure_site;
		last = run->failure_tid;
	} else if (run->outcome == OUTCOME_ASSUME) {
		s.op = LEARN_ASSUME;
	} else if (run->outcome == OUTCOME_LIMIT) {
		s.op = LEARN_LIMIT;
	} else {
		return 0;
	}
	if (last >= x->threads.count)
		return 0;
	t = &x->threads.items[last];
	s.tix = 0;
	/* A limit says nothing about a thread that went further elsewhere. */
	if (s.op == LEARN_LIMIT && learn_at(x->l, t->at))
		return 0;
	return learn_follow(x->l, &t->at, &s, e);
}

static void begin_run(struct ingest *x)
{
	clear_threads(x);
	vec_clear(&x->freed);
	vec_clear(&x->ended);
	vec_reserve(&x->image, x->l->memory.count + 8);
	x->image.count = x->l->memory.count;
	if (x->image.count)
		memcpy(x->image.items, x->l->memory.items, x->image.count);
	vec_clear(&x->known);
	for (size_t i = 0; i < x->image.count; i++)
		vec_push(&x->known, 1);
	begin_thread(x, learn_thread(x->l, LEARN_NONE, 0, 0), 0);
}

static void settle_footprints(struct ingest *x)
{
	struct learn_cursor none = {0, 0};

	vec_clear(&x->ends);
	for (size_t i = 0; i < x->l->threads.count; i++)
		vec_push(&x->ends, none);
	for (size_t i = 0; i < x->threads.count; i++)
		x->ends.items[x->threads.items[i].number] = x->threads.items[i].at;
	learn_settle(x->l, x->ends.items, x->ends.count);
}

/* Looked at every so many events: some take long.  Large sets take memory, too. */
#define EVENTS_BETWEEN_LIMITS 1024
#define ELEMENTS_BETWEEN_LIMITS ((size_t)4 << 20)

static bool is_over(struct ingest *x, size_t at)
{
	size_t held = x->l->sets.data.count + x->l->foot.prints.data.count;

	if (at % EVENTS_BETWEEN_LIMITS != EVENTS_BETWEEN_LIMITS - 1 &&
	    held - x->held < ELEMENTS_BETWEEN_LIMITS)
		return false;
	x->held = held;
	return limit_reached(x->limit) != LIMIT_NONE;
}

int ingest_run(struct ingest *x, const struct wire_batch_run *run, const struct wire_event *events,
	       size_t n, struct err *e)
{
	const struct wire_event *end = events + n;
	uint32_t last = 0;
	int rc = 0;

	begin_run(x);
	for (const struct wire_event *ev = events; rc == 0 && ev < end; ev++) {
		if (is_over(x, (size_t)(ev - events))) {
			rc = PRODUCT_STOP;
		} else if (ev->tid >= x->threads.count) {
			rc = err_set(e, ERR_FORMAT, "an event of a thread that was never begun");
		} else if (ev->kind == EVENT_PENDING) {
			rc = add_pending(x, ev, end, e);
		} else if (ev->kind != EVENT_DATA) {
			if (ev->kind == EVENT_THREAD_CREATE && x->threads.count == 1)
				ingest_image_begin(x);
			x->input |= ev->kind == EVENT_IO && ev->aux != IO_WRITE;
			last = ev->tid;
			rc = add_event(x, &x->threads.items[ev->tid], ev, end, e);
		} else if (x->threads.count == 1) {
			ingest_image_update(x, ev);
		}
	}
	if (rc == 0)
		rc = add_ending(x, run, last, e);
	settle_footprints(x);
	return rc;
}

/* Failing for no reason is a choice of whoever stands at a weak compare and swap. */
static bool is_weak(const struct ingest *x, const struct wire_event *ev)
{
	if (!x->spurious)
		return false;
	return ev->kind == EVENT_WEAK ||
	       (ev->kind == EVENT_PENDING && (ev->aux & 0xff) == EVENT_RMW &&
		((ev->aux >> 8) & RMW_WEAK));
}

void ingest_note(struct ingest *x, const struct wire_event *events, size_t n)
{
	bool alone = true;

	for (size_t i = 0; i < n; i++) {
		struct wire_event ev = events[i];
		bool writes;
		uint64_t size = ev.size;

		if (ev.kind == EVENT_PENDING)
			ev.kind = (uint8_t)(ev.aux & 0xff);
		alone &= ev.kind != EVENT_THREAD_CREATE;
		if (!alone && is_weak(x, &events[i]))
			cells_note_choice(x->cells, ev.addr, ev.size, ev.tid);
		/* Who gives a block back that others give back uses it, too. */
		if (ingest_uses_place(&ev) || ev.kind == EVENT_FREE)
			cells_note_place(x->cells, ev.addr, ev.tid);
		if (ev.kind == EVENT_FUTEX_WAIT)
			size = 4;
		else if (!is_memory(&ev) || ev.kind == EVENT_ALLOC ||
			 (ev.kind == EVENT_STACK && !ev.aux))
			continue;
		writes = ev.kind != EVENT_READ && ev.kind != EVENT_READ_RANGE &&
			 ev.kind != EVENT_CAS_FAIL && ev.kind != EVENT_FUTEX_WAIT;
		if (ev.kind == EVENT_READ_RANGE || ev.kind == EVENT_WRITE_RANGE)
			size = ev.value;
		if (events[i].kind != EVENT_PENDING && (ev.aux & EVENT_HIDDEN) &&
		    (ev.kind == EVENT_READ || ev.kind == EVENT_WRITE))
			cells_note_hidden(x->cells, ev.addr, ev.tid, writes,
					  !writes && !(ev.aux & EVENT_BLIND), alone);
		/* Giving a block back concerns whoever touched it, but joins nothing. */
		else if (ev.kind == EVENT_FREE || ev.kind == EVENT_STACK)
			cells_note_block(x->cells, ev.addr, ev.value ? ev.value : 1, ev.tid,
					 alone);
		else
			cells_note(x->cells, ev.addr, size, ev.tid, writes, alone);
	}
}
