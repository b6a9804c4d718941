#include "repro/search/match.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "model/path.h"

void repro_match_init(struct repro_match *m, const struct trace_recording *r)
{
	*m = (struct repro_match){.recording = r};
}

void repro_match_fini(struct repro_match *m)
{
	trace_sites_fini(&m->sites);
}

static bool is_heap_misuse(uint32_t kind)
{
	return kind == FAILURE_DOUBLE_FREE || kind == FAILURE_INVALID_FREE ||
	       kind == FAILURE_USE_AFTER_FREE || kind == FAILURE_HEAP_RANGE;
}

bool repro_match_kind(const struct record_failure *f, const struct wire_failure *w)
{
	switch (f->kind) {
	case RECORD_FAIL_SIGNAL:
		if (w->kind == FAILURE_SIGNAL)
			return (int64_t)w->value == f->signal;
		if (f->signal == SIGABRT && w->kind == FAILURE_ABORT)
			return true;
		return is_heap_misuse(w->kind) || w->kind == FAILURE_SYNC_MISUSE;
	case RECORD_FAIL_ABORT:
		/* The C library gives up when it notices that its lists are damaged. */
		return w->kind == FAILURE_ABORT || is_heap_misuse(w->kind) ||
		       w->kind == FAILURE_SYNC_MISUSE;
	case RECORD_FAIL_ASSERT:
		return w->kind == FAILURE_ASSERT;
	case RECORD_FAIL_DEADLOCK:
		return w->kind == FAILURE_DEADLOCK || w->kind == FAILURE_LIVELOCK;
	default:
		return false;
	}
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* What the recording does not know excludes nothing. */
static bool same_place(const struct trace_place *p, const struct trace_site *s)
{
	if (!s || (!p->line && !*p->function))
		return true;
	if (p->line && s->line && *p->file)
		return p->line == s->line && strcmp(base_name(p->file), base_name(s->file)) == 0;
	return !*p->function || !*s->func || strcmp(p->function, s->func) == 0;
}

/* ---- assertions ---- */

/* Between a quotation mark and the last one that answers it; false when text has none. */
static bool quoted(const char *text, char from, const char *to, const char **out, size_t *length)
{
	const char *begin = strchr(text, from), *end = NULL;

	for (const char *at = begin; at && (at = strstr(at + 1, to));)
		end = at;
	if (!end)
		return false;
	*out = begin + 1;
	*length = (size_t)(end - begin) - 1;
	return true;
}

/* What was asserted: in the words of the C library, or in those of a run under control. */
static bool asserted(const char *text, const char **out, size_t *length)
{
	const char *own = strstr(text, ": Assertion `");

	return own ? quoted(own, '`', "' failed.", out, length)
		   : *text == '"' && quoted(text, '"', "\" (", out, length);
}

/* One line may have several; texts that were cut exclude nothing. */
static bool same_assertion(const char *then, const char *now)
{
	const char *a, *b;
	size_t n, m;

	return !asserted(then, &a, &n) || !asserted(now, &b, &m) ||
	       (n == m && memcmp(a, b, n) == 0);
}

/* ---- threads ---- */

/* The recorded thread that thread `tid' of the run is, RECORD_NO_THREAD when there is none. */
static uint32_t task_of(const struct trace_recording *rec, const struct run_result *r, uint32_t tid)
{
	const struct wire_thread *t = tid < r->threads.count ? &r->threads.items[tid] : NULL;
	uint32_t parent;

	if (!t || tid == 0)
		return t ? 0 : RECORD_NO_THREAD;
	parent = t->parent < tid ? task_of(rec, r, t->parent) : RECORD_NO_THREAD;
	return parent < rec->tasks.count ? model_path_child(rec, parent, t->child_index)
					 : RECORD_NO_THREAD;
}

static enum repro_likeness same_thread(const struct trace_recording *rec,
				       const struct run_result *r)
{
	uint32_t then = rec->failure.thread, now = r->wire.failure.tid;

	if (then >= rec->tasks.count || rec->tasks.items[then].row.state == RECORD_THREAD_HANDLER)
		return REPRO_SAME;
	if ((then == 0) != (now == 0))
		return REPRO_OTHER;
	now = task_of(rec, r, now);
	if (now == then || now >= rec->tasks.count)
		return now == then ? REPRO_SAME : REPRO_NEAR;
	return strcmp(rec->tasks.items[then].entry, rec->tasks.items[now].entry) == 0 ? REPRO_NEAR
										      : REPRO_OTHER;
}

/* ---- places ---- */

/* Another operation of the line is recorded, and the program under control has it. */
static bool same_column(const struct repro_match *m, const struct trace_site *s)
{
	const struct trace_place *p = &m->recording->place;

	if (!s || !p->line || !p->column || !s->column || p->column == s->column ||
	    m->recording->failure.kind != RECORD_FAIL_SIGNAL)
		return true;
	for (size_t i = 0; i < m->sites.count; i++) {
		const struct trace_site *other = &m->sites.items[i];

		if (other->column == p->column && other->kind == s->kind && same_place(p, other))
			return false;
	}
	return true;
}

/* The file is read once; a run that cannot be placed matches by its kind alone. */
static const struct trace_site *find_site(struct repro_match *m, const struct run_result *r)
{
	struct err why = ERR_INIT;

	if (!m->loaded) {
		m->loaded = true;
		if (trace_sites_from_modules(&m->sites, r->modules.items, r->modules.count, &why))
			trace_sites_fini(&m->sites);
	}
	return trace_sites_find(&m->sites, r->wire.failure.site);
}

/* Threads that wait, by what they wait for; being woken is one thing with going to sleep. */
struct waiting {
	uint32_t at[RECORD_AT_MAX];
};

/*
 * Who waits for others to end may not have come that far yet when those are stuck already, and who
 * waits for the outside is stuck with nobody.
 */
static void count_wait(struct waiting *w, unsigned stamp)
{
	if (stamp && stamp != RECORD_AT_JOIN && stamp < RECORD_AT_MAX)
		w->at[stamp == RECORD_AT_WAKE ? RECORD_AT_WAIT : stamp]++;
}

static struct waiting waiting_recorded(const struct trace_recording *rec)
{
	struct waiting w = {{0}};

	for (size_t i = 0; i < rec->tasks.count; i++) {
		const struct record_thread *t = &rec->tasks.items[i].row;

		if (t->state == RECORD_THREAD_RUNS && t->waits_on)
			count_wait(&w, t->waits_at);
	}
	return w;
}

static struct waiting waiting_now(const struct run_result *r)
{
	struct waiting w = {{0}};

	for (size_t i = 0; i < r->threads.count; i++)
		if (r->threads.items[i].state == THREAD_BLOCKED)
			count_wait(&w, trace_stamp_of(r->threads.items[i].pending_kind, false));
	return w;
}

static bool in_circle(const struct run_result *r, uint32_t thread)
{
	uint32_t at = thread;

	for (size_t n = 0; n < r->threads.count && at < r->threads.count; n++) {
		at = r->threads.items[at].waits_for;
		if (at == thread)
			return true;
	}
	return false;
}

/* Some thread waits where the recorded one did, as far as that is known. */
static bool waits_there(const struct repro_match *m, const struct run_result *r)
{
	const struct trace_recording *rec = m->recording;
	const struct record_thread *t = rec->failure.thread < rec->tasks.count
						? &rec->tasks.items[rec->failure.thread].row
						: NULL;

	if (!t || !t->waits_on || t->waits_at == RECORD_AT_JOIN)
		return true;
	for (size_t i = 0; i < r->threads.count; i++)
		if (r->threads.items[i].state == THREAD_BLOCKED &&
		    same_place(&rec->place,
			       trace_sites_find(&m->sites, r->threads.items[i].pending_site)))
			return true;
	return false;
}

/*
 * The same operations wait for ever.  A run ends when a circle of locks is closed: then those are
 * missing that came to wait for its threads later when it was recorded.
 */
static bool same_deadlock(const struct repro_match *m, const struct run_result *r)
{
	struct waiting then = waiting_recorded(m->recording), now = waiting_now(r);
	bool circle = false, equal = true, within = true;
	uint32_t all = 0;

	for (uint32_t i = 0; i < r->threads.count; i++)
		circle |= in_circle(r, i);
	for (int k = 0; k < RECORD_AT_MAX; k++) {
		all += then.at[k];
		equal &= then.at[k] == now.at[k];
		within &= then.at[k] >= now.at[k];
	}
	if (all == 0)
		return true;
	return equal ? waits_there(m, r) : circle && within;
}

static enum repro_likeness note_other(struct repro_match *m, const struct run_result *r,
				      const struct trace_site *s)
{
	m->others++;
	m->misused += r->wire.failure.kind == FAILURE_USE_AFTER_FREE ||
		      r->wire.failure.kind == FAILURE_HEAP_RANGE;
	snprintf(m->last_other, sizeof(m->last_other), "%s at %s:%u", r->wire.failure.text,
		 s ? base_name(s->file) : "?", s ? s->line : 0);
	return REPRO_OTHER;
}

/* In the function that crashed, or nobody knows where that was. */
static bool is_near(const struct trace_recording *r, const struct run_result *now,
		    const struct trace_site *s)
{
	if (!is_heap_misuse(now->wire.failure.kind) || r->failure.kind == RECORD_FAIL_ASSERT)
		return false;
	return !s || !*r->place.function || !*s->func || strcmp(r->place.function, s->func) == 0;
}

enum repro_likeness repro_match(struct repro_match *m, const struct run_result *r)
{
	const struct record_failure *f = &m->recording->failure;
	const struct trace_site *s = find_site(m, r);
	enum repro_likeness thread;

	m->near = REPRO_NEAR_NOTHING;
	if (!repro_match_kind(f, &r->wire.failure))
		return note_other(m, r, s);
	if (f->kind == RECORD_FAIL_DEADLOCK)
		return same_deadlock(m, r) ? REPRO_SAME : note_other(m, r, s);
	thread = same_thread(m->recording, r);
	if (thread == REPRO_OTHER ||
	    (f->kind == RECORD_FAIL_ASSERT && !same_assertion(f->text, r->wire.failure.text)))
		return note_other(m, r, s);
	if (!same_place(&m->recording->place, s)) {
		if (!is_near(m->recording, r, s))
			return note_other(m, r, s);
		m->near = REPRO_NEAR_BEFORE;
	} else if (!same_column(m, s)) {
		m->near = REPRO_NEAR_LINE;
	} else if (thread == REPRO_NEAR) {
		m->near = REPRO_NEAR_THREAD;
	}
	return m->near == REPRO_NEAR_NOTHING ? REPRO_SAME : REPRO_NEAR;
}

void repro_match_say(const struct trace_recording *r, struct strbuf *to)
{
	const struct trace_place *p = &r->place;

	strbuf_add(to, trace_record_failure_name(r->failure.kind));
	if (r->failure.kind == RECORD_FAIL_SIGNAL || r->failure.kind == RECORD_FAIL_KILLED)
		strbuf_addf(to, " %d (%s)", r->failure.signal, strsignal(r->failure.signal));
	if (*p->function)
		strbuf_addf(to, " in %s", p->function);
	if (*p->file)
		strbuf_addf(to, ", %s:%u", base_name(p->file), p->line);
}
