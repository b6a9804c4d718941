#include "check/ingest.h"

#include <stdlib.h>

#include "check/ingest_thread.h"

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
	}
	vec_clear(&x->threads);
}

void ingest_fini(struct ingest *x)
{
	clear_threads(x);
	vec_free(&x->threads);
	vec_free(&x->image);
	vec_free(&x->ends);
	vec_free(&x->classes);
	vec_free(&x->freed);
	free(x->names);
}

/* ---- names and classes ---- */

static size_t name_place(const struct ingest *x, uint64_t address, uint32_t kind)
{
	size_t at = intern_hash(address, kind) & (x->name_capacity - 1);

	while (x->names[at].address &&
	       (x->names[at].address != address || x->names[at].kind != kind))
		at = (at + 1) & (x->name_capacity - 1);
	return at;
}

static void grow_names(struct ingest *x)
{
	struct ingest_name *old = x->names;
	size_t count = x->name_capacity;

	x->name_capacity = count ? count * 2 : 64;
	x->names = xcalloc(x->name_capacity, sizeof(*x->names));
	for (size_t i = 0; i < count; i++)
		if (old[i].address)
			x->names[name_place(x, old[i].address, old[i].kind)] = old[i];
	free(old);
}

uint32_t ingest_object(struct ingest *x, uint64_t address, enum learn_object_kind kind)
{
	struct learn_object o = {.kind = kind, .sync = x->l->syncs, .address = address};
	size_t at;

	if (x->name_count * 2 >= x->name_capacity)
		grow_names(x);
	at = name_place(x, address, kind);
	if (x->names[at].address)
		return x->names[at].object;
	x->names[at] = (struct ingest_name){address, kind, (uint32_t)x->l->objects.count};
	x->name_count++;
	x->l->syncs++;
	vec_push(&x->l->objects, o);
	return x->names[at].object;
}

void ingest_class(struct ingest *x, const struct ingest_thread *t, uint32_t object,
		  enum foot_kind kind)
{
	struct foot_class c = {.thread = t->number,
			       .object = object,
			       .kind = kind,
			       .locks = t->locks,
			       .joined = t->joined};
	uint32_t id = foot_class(&x->l->foot, &c);
	size_t at = x->classes.count;

	vec_push(&x->classes, id);
	for (; at > 0 && x->classes.items[at - 1] >= id; at--) {
		if (x->classes.items[at - 1] == id) {
			x->classes.count--;
			return;
		}
		x->classes.items[at] = x->classes.items[at - 1];
		x->classes.items[at - 1] = id;
	}
}

/* ---- threads ---- */

static void begin_thread(struct ingest *x, uint32_t parent, uint32_t child_index, uint32_t joined)
{
	struct ingest_thread t = {.joined = joined};

	t.number = learn_thread(x->l, parent, child_index);
	t.at.node = x->l->threads.items[t.number].root;
	vec_push(&x->threads, t);
}

/* THREAD_CREATE and THREAD_JOIN, which name other threads. */
static int convert_life(struct ingest *x, struct ingest_thread *t, const struct wire_event *ev,
			bool done, struct ingest_step *s, struct err *e)
{
	uint32_t child;

	vec_clear(&x->classes);
	*s = (struct ingest_step){
		.step = {.site = ev->site, .tix = ev->tix, .object = LEARN_NONE}};
	if (ev->kind == EVENT_THREAD_JOIN) {
		if (ev->aux >= x->threads.count)
			return err_set(e, ERR_FORMAT, "a thread is joined that was never begun");
		s->step.op = LEARN_JOIN;
		s->step.other = x->threads.items[ev->aux].number;
		if (done)
			t->joined = intern_add(&x->l->foot.sets, t->joined, s->step.other);
		return 1;
	}
	child = learn_thread(x->l, t->number, t->children);
	s->step.op = LEARN_FORK;
	s->step.other = child;
	if (!done)
		return 1;
	if (ev->aux != x->threads.count)
		return err_set(e, ERR_FORMAT, "threads are not numbered as they are begun");
	t->children++;
	return 1;
}

static uint32_t count_visit(struct ingest *x, struct ingest_thread *t, uint32_t site)
{
	struct ingest_visit fresh = {site, 1};

	if (!x->count_visits)
		return 0;
	for (size_t i = 0; i < t->visits.count; i++)
		if (t->visits.items[i].site == site)
			return t->visits.items[i].count++;
	vec_push(&t->visits, fresh);
	return 0;
}

/* ---- one event ---- */

static void write_image(struct ingest *x, uint64_t address, const void *bytes, uint32_t size)
{
	for (uint32_t i = 0; i < size; i++) {
		uint32_t offset, n;

		if (cells_find(x->cells, x->l, address + i, 1, &offset, &n) != LEARN_NONE)
			x->image.items[offset] = ((const uint8_t *)bytes)[i];
	}
}

/* A store that was issued reaches memory: no step of its own. */
static bool is_commit(struct ingest_thread *t, const struct wire_event *ev)
{
	for (size_t i = 0; ev->kind == EVENT_WRITE && i < t->issued.count; i++) {
		if (t->issued.items[i] != ev->tix)
			continue;
		t->issued.items[i] = vec_last(&t->issued);
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
		write_image(x, d->addr, &d->value, d->size <= 8 ? d->size : 8);
	s->data = (uint32_t)x->l->data.count;
	for (uint64_t i = 0; i < s->value; i++)
		vec_push(&x->l->data, x->image.items[s->offset + i]);
}

static void update_image(struct ingest *x, const struct wire_event *ev)
{
	uint32_t offset, bytes;

	if (ev->kind == EVENT_ALLOC &&
	    cells_find(x->cells, x->l, ev->addr, ev->value, &offset, &bytes) != LEARN_NONE)
		memset(x->image.items + offset, 0, bytes);
	if (ev->kind == EVENT_WRITE || ev->kind == EVENT_RMW || ev->kind == EVENT_DATA)
		write_image(x, ev->addr, &ev->value, ev->size <= 8 ? ev->size : 8);
}

static bool is_memory(const struct wire_event *ev)
{
	return (ev->kind >= EVENT_READ && ev->kind <= EVENT_CAS_FAIL && ev->kind != EVENT_FENCE) ||
	       ev->kind == EVENT_ALLOC || ev->kind == EVENT_FREE;
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
		s->step.classes = intern_set(&x->l->foot.prints, x->classes.items,
					     (uint32_t)x->classes.count);
	return rc;
}

/* A write of the same bytes as before shares their place. */
static int share_data(struct ingest *x, const struct ingest_thread *t, struct learn_step *s,
		      struct err *e)
{
	const struct learn_step *known = learn_at(x->l, t->at);

	if (!known || known->op != LEARN_WRITE_BYTES || known->value != s->value)
		return 0;
	if (memcmp(x->l->data.items + known->data, x->l->data.items + s->data, s->value) != 0)
		return err_set(e, ERR_MISMATCH,
			       "thread %u wrote other bytes after reading the same values",
			       t->number);
	x->l->data.count = s->data;
	s->data = known->data;
	return 0;
}

static int add_event(struct ingest *x, struct ingest_thread *t, const struct wire_event *ev,
		     const struct wire_event *end, struct err *e)
{
	struct ingest_step s;
	int rc;

	if (is_commit(t, ev)) {
		update_image(x, ev);
		return 0;
	}
	if (ev->kind == EVENT_ISSUE)
		vec_push(&t->issued, ev->tix);
	rc = convert(x, t, ev, true, &s, e);
	if (rc > 0 && s.step.op == LEARN_WRITE_BYTES) {
		take_data(x, &s.step, ev, end);
		rc = share_data(x, t, &s.step, e) ? ERR_MISMATCH : 1;
	} else {
		update_image(x, ev);
	}
	if (rc <= 0 || (x->threads.count == 1 && is_memory(ev)))
		return rc < 0 ? rc : 0;
	s.step.visits = count_visit(x, t, ev->site);
	rc = learn_follow(x->l, &t->at, &s.step, e);
	if (rc == 0 && learn_reads(&s.step))
		learn_outcome(x->l, &t->at, s.outcome, s.writes, s.written);
	if (rc == 0 && s.step.op == LEARN_FORK)
		begin_thread(x, t->number, t->children - 1, t->joined);
	return rc;
}

/* ---- the end of an execution ---- */

static int add_pending(struct ingest *x, const struct wire_event *ev, struct err *e)
{
	struct ingest_thread *t = &x->threads.items[ev->tid];
	struct wire_event op = *ev;
	struct ingest_step s;
	int rc;

	op.kind = (uint8_t)(ev->aux & 0xff);
	op.aux = ev->aux >> 8;
	if (op.kind == EVENT_IO || op.kind == EVENT_SLEEP || op.kind == EVENT_YIELD)
		return 0;
	if (x->threads.count == 1 && is_memory(&op))
		return 0;
	rc = convert(x, t, &op, false, &s, e);
	if (rc <= 0)
		return rc;
	/* Nothing is known of its bytes. */
	if (s.step.op == LEARN_WRITE_BYTES)
		return 0;
	return learn_announce(x->l, &t->at, &s.step, e);
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

/* The first execution of all shows what main put into memory before it began threads. */
static void settle_memory(struct ingest *x)
{
	if (x->settled)
		return;
	x->settled = true;
	if (x->image.count)
		memcpy(x->l->memory.items, x->image.items, x->image.count);
}

static void begin_run(struct ingest *x)
{
	clear_threads(x);
	vec_clear(&x->freed);
	vec_reserve(&x->image, x->l->memory.count + 8);
	x->image.count = x->l->memory.count;
	if (x->image.count)
		memcpy(x->image.items, x->l->memory.items, x->image.count);
	begin_thread(x, LEARN_NONE, 0, 0);
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

int ingest_run(struct ingest *x, const struct wire_batch_run *run, const struct wire_event *events,
	       size_t n, struct err *e)
{
	const struct wire_event *end = events + n;
	uint32_t last = 0;
	int rc = 0;

	begin_run(x);
	for (const struct wire_event *ev = events; rc == 0 && ev < end; ev++) {
		if (ev->tid >= x->threads.count) {
			rc = err_set(e, ERR_FORMAT, "an event of a thread that was never begun");
		} else if (ev->kind == EVENT_PENDING) {
			rc = add_pending(x, ev, e);
		} else if (ev->kind != EVENT_DATA) {
			if (ev->kind == EVENT_THREAD_CREATE)
				settle_memory(x);
			x->input |= ev->kind == EVENT_IO && ev->aux != IO_WRITE;
			last = ev->tid;
			rc = add_event(x, &x->threads.items[ev->tid], ev, end, e);
		} else if (x->threads.count == 1) {
			update_image(x, ev);
		}
	}
	if (rc == 0)
		rc = add_ending(x, run, last, e);
	settle_footprints(x);
	return rc;
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
		if (ev.kind == EVENT_FUTEX_WAIT)
			size = 4;
		else if (!is_memory(&ev) || ev.kind == EVENT_ALLOC)
			continue;
		writes = ev.kind != EVENT_READ && ev.kind != EVENT_READ_RANGE &&
			 ev.kind != EVENT_CAS_FAIL && ev.kind != EVENT_FUTEX_WAIT;
		if (ev.kind == EVENT_READ_RANGE || ev.kind == EVENT_WRITE_RANGE)
			size = ev.value;
		/* Giving a block back concerns whoever touched it, but joins nothing. */
		if (ev.kind == EVENT_FREE)
			cells_note_block(x->cells, ev.addr, ev.value, ev.tid, alone);
		else
			cells_note(x->cells, ev.addr, size, ev.tid, writes, alone);
	}
}
