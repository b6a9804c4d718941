#include "trace/bundle/recording.h"

#include <stdlib.h>
#include <string.h>

#include "trace/bundle/container.h"
#include "trace/bundle/part.h"
#include "wire/ctl.h"
#include "wire/event.h"

static void fini_task(struct trace_task *t)
{
	for (size_t i = 0; i < t->inputs.count; i++)
		free(t->inputs.items[i].data);
	vec_free(&t->inputs);
	vec_free(&t->stamps);
	free(t->stream);
	free(t->entry);
}

void trace_recording_fini(struct trace_recording *r)
{
	trace_meta_fini(&r->meta);
	for (size_t i = 0; i < r->tasks.count; i++)
		fini_task(&r->tasks.items[i]);
	vec_free(&r->tasks);
	for (size_t i = 0; i < r->functions.count; i++)
		free(r->functions.items[i].name);
	vec_free(&r->functions);
	for (size_t i = 0; i < r->marks.count; i++)
		free(r->marks.items[i].words);
	vec_free(&r->marks);
	for (size_t i = 0; i < r->notes.count; i++)
		free(r->notes.items[i]);
	vec_free(&r->notes);
	trace_symbols_fini(&r->symbols);
	free(r->place.function);
	free(r->place.file);
	memset(r, 0, sizeof(*r));
}

/* ---- rules ---- */

static int check_head(const struct trace_recording *r, struct err *e)
{
	const struct record_failure *f = &r->failure;

	if (r->meta.wire_version == 0 || r->meta.wire_version > WIRE_VERSION)
		return err_set(e, ERR_VERSION, "meta: event version %u, this heddle reads up to %u",
			       r->meta.wire_version, WIRE_VERSION);
	if (r->meta.model >= MODEL_COUNT)
		return err_set(e, ERR_FORMAT, "meta: unknown memory model %u", r->meta.model);
	if (r->backend > RECORD_SIM)
		return err_set(e, ERR_FORMAT, "recording: unknown backend %u", r->backend);
	if (f->kind > RECORD_FAIL_KILLED)
		return err_set(e, ERR_FORMAT, "recording: unknown failure %u", f->kind);
	if (f->thread >= r->tasks.count && f->thread != RECORD_NO_THREAD)
		return err_set(e, ERR_FORMAT, "recording: thread %u of %zu failed", f->thread,
			       r->tasks.count);
	if (!memchr(f->text, 0, sizeof(f->text)) || f->depth > RECORD_MAX_STACK)
		return err_set(e, ERR_FORMAT, "recording: the failure is malformed");
	if (r->status < 0 || r->status > 255)
		return err_set(e, ERR_FORMAT, "recording: exit status %d", r->status);
	return 0;
}

static int check_task(const struct trace_recording *r, size_t i, struct err *e)
{
	const struct trace_task *t = &r->tasks.items[i];
	bool first = t->row.creator == RECORD_NO_THREAD;

	if (t->row.state > RECORD_THREAD_HANDLER || t->row.waits_at >= RECORD_AT_MAX)
		return err_set(e, ERR_FORMAT, "tasks: thread %zu is in an unknown state", i);
	if (first ? i != 0 : t->row.creator >= i)
		return err_set(e, ERR_FORMAT, "tasks: thread %zu was created by thread %u", i,
			       t->row.creator);
	for (size_t k = 0; k < t->stamps.count; k++)
		if (!t->stamps.items[k].kind || t->stamps.items[k].kind >= RECORD_AT_MAX)
			return err_set(e, ERR_FORMAT, "stamps: stamp %zu of thread %zu", k, i);
	for (size_t k = 0; k < t->inputs.count; k++)
		if (!trace_input_name(t->inputs.items[k].head.kind))
			return err_set(e, ERR_FORMAT, "inputs: input %zu of thread %zu", k, i);
	return 0;
}

int trace_recording_check(const struct trace_recording *r, struct err *e)
{
	int rc = check_head(r, e);

	if (!rc && (r->tasks.count == 0 || r->tasks.count > RECORD_MAX_THREADS))
		rc = err_set(e, ERR_FORMAT, "tasks: %zu threads", r->tasks.count);
	for (size_t i = 0; i < r->tasks.count && !rc; i++)
		rc = check_task(r, i, e);
	return rc;
}

/* ---- files ---- */

static int read_parts(struct trace_recording *r, const char *dir, const struct trace_manifest *m,
		      struct err *e)
{
	int rc = 0;

	for (size_t i = 0; i < trace_recording_part_count && !rc; i++) {
		char *raw;
		size_t n;

		rc = trace_part_read(dir, trace_recording_parts[i].part, m, &raw, &n, e);
		if (rc)
			break;
		rc = trace_recording_parts[i].decode(r, raw, n, e);
		free(raw);
	}
	return rc;
}

int trace_recording_read(const char *dir, struct trace_recording *r, struct err *e)
{
	struct trace_manifest m;
	int rc = trace_manifest_read_kind(&m, dir, TRACE_RECORDING, e);

	if (!rc)
		rc = read_parts(r, dir, &m, e);
	if (!rc)
		rc = trace_recording_check(r, e);
	if (rc) {
		trace_recording_fini(r);
		err_wrap(e, "%s", dir);
	}
	return rc;
}

int trace_recording_write(const char *dir, const struct trace_recording *r, struct err *e)
{
	struct trace_container c;
	struct strbuf raw = STRBUF_INIT;
	int rc = trace_recording_check(r, e);

	if (rc)
		return err_wrap(e, "the recording is inconsistent"), rc;
	rc = trace_container_open(&c, dir, TRACE_RECORDING, e);
	for (size_t i = 0; i < trace_recording_part_count && !rc; i++) {
		strbuf_clear(&raw);
		trace_recording_parts[i].encode(r, &raw);
		rc = trace_container_part(&c, trace_recording_parts[i].part, &raw, e);
	}
	if (!rc)
		rc = trace_container_commit(&c, e);
	trace_container_abort(&c);
	strbuf_free(&raw);
	return rc;
}

bool trace_recording_is(const char *dir)
{
	struct trace_manifest m;

	return !trace_manifest_read(&m, dir, NULL) && m.kind == TRACE_RECORDING;
}

/* ---- what is in it ---- */

const struct trace_marks *trace_recording_marks(const struct trace_recording *r, uint32_t unit)
{
	for (size_t i = 0; i < r->marks.count; i++)
		if (r->marks.items[i].head.unit == unit)
			return &r->marks.items[i];
	return NULL;
}

/* Capacity follows from the length: a power of two of at least 64 bytes. */
void trace_task_push(struct trace_task *t, unsigned bit)
{
	uint64_t at = t->bits / 8;

	if (t->bits % 8 == 0) {
		if (at == 0 || (at >= 64 && !(at & (at - 1))))
			t->stream = xrealloc(t->stream, at ? (size_t)at * 2 : 64, 1);
		t->stream[at] = 0;
	}
	t->stream[at] |= (uint8_t)((bit & 1) << (t->bits % 8));
	t->bits++;
}

unsigned trace_stamp_of(unsigned event, bool failed)
{
	static const uint8_t stamps[EVENT_KIND_MAX] = {
		[EVENT_THREAD_CREATE] = RECORD_AT_CREATE,
		[EVENT_THREAD_JOIN] = RECORD_AT_JOIN,
		[EVENT_LOCK] = RECORD_AT_LOCK,
		[EVENT_TRYLOCK] = RECORD_AT_LOCK,
		[EVENT_RDLOCK] = RECORD_AT_LOCK,
		[EVENT_WRLOCK] = RECORD_AT_LOCK,
		[EVENT_UNLOCK] = RECORD_AT_UNLOCK,
		[EVENT_RWUNLOCK] = RECORD_AT_UNLOCK,
		[EVENT_COND_WAIT] = RECORD_AT_WAIT,
		[EVENT_COND_WAKE] = RECORD_AT_WAKE,
		[EVENT_COND_SIGNAL] = RECORD_AT_SIGNAL,
		[EVENT_COND_BROADCAST] = RECORD_AT_SIGNAL,
		[EVENT_BARRIER_ARRIVE] = RECORD_AT_BARRIER,
		[EVENT_BARRIER_LEAVE] = RECORD_AT_BARRIER,
		[EVENT_SEM_WAIT] = RECORD_AT_WAKE,
		[EVENT_SEM_POST] = RECORD_AT_SIGNAL,
	};

	return failed || event >= EVENT_KIND_MAX ? 0 : stamps[event];
}

const char *trace_input_name(unsigned kind)
{
	static const char *const names[RECORD_IN_MAX] = {
#define X(name, number, text) [number] = text,
#include "wire/inputs.def"
#undef X
	};

	return kind < RECORD_IN_MAX ? names[kind] : NULL;
}

unsigned trace_input_kind(const char *symbol)
{
	static const struct {
		const char *symbol;
		unsigned kind;
	} rows[] = {
#define X(name, kind) {#name, RECORD_IN_##kind},
#include "wire/input_calls.def"
#undef X
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (!strcmp(rows[i].symbol, symbol))
			return rows[i].kind;
	return RECORD_IN_NONE;
}

const char *trace_record_failure_name(unsigned kind)
{
	static const char *const names[] = {"none",	  "signal",   "abort",
					    "assertion", "deadlock", "killed"};

	return kind < sizeof(names) / sizeof(names[0]) ? names[kind] : "unknown";
}

const char *trace_record_backend_name(unsigned backend)
{
	static const char *const names[] = {"bits", "paths", "pt", "sim"};

	return backend < sizeof(names) / sizeof(names[0]) ? names[backend] : "unknown";
}

const char *trace_record_stamp_name(unsigned kind)
{
	static const char *const names[RECORD_AT_MAX] = {
		"",	"begin", "end",	   "create",  "join",  "lock",	 "unlock",
		"wait", "wake",	 "signal", "barrier", "flush", "handler"};

	return kind < RECORD_AT_MAX ? names[kind] : "";
}
