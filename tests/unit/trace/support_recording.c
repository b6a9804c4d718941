#include "support_recording.h"

#include <string.h>

#include "wire/ctl.h"

static void add_task(struct trace_recording *r, uint32_t creator, unsigned bits)
{
	struct trace_task t = {.entry = xstrdup(creator == RECORD_NO_THREAD ? "main" : "worker")};
	struct record_stamp stamp = {1000 + bits, 3, 0x7000, 2, 1, RECORD_AT_LOCK};
	struct trace_input in = {
		.head = {.bytes = 48, .data = 5, .result = 5, .detail = 3, .kind = RECORD_IN_READ}};

	t.row.state = RECORD_THREAD_RUNS;
	t.row.creator = creator;
	t.row.os_tid = 77;
	t.row.ops = 2;
	in.data = (uint8_t *)xstrndup("hallo", 5);
	for (unsigned i = 0; i < bits; i++)
		trace_task_push(&t, i % 3 == 0);
	vec_push(&t.stamps, stamp);
	vec_push(&t.inputs, in);
	vec_push(&r->tasks, t);
}

void support_recording_fill(struct trace_recording *r)
{
	struct trace_function f = {xstrdup("visit"), 17};
	struct trace_marks m = {.head = {.magic = RECORD_MARKS_MAGIC,
					 .canon = 0x1234,
					 .unit = 17,
					 .points = 70,
					 .words = 2}};

	r->meta.tool_version = xstrdup("0.1.0");
	r->meta.wire_version = WIRE_VERSION;
	r->meta.program = xstrdup("/bin/server");
	r->meta.cwd = xstrdup("/");
	vec_push(&r->meta.argv, xstrdup("server"));
	vec_push(&r->meta.environ, xstrdup("HOME=/"));
	r->meta.executable.path = xstrdup("/bin/server");
	r->flags = RECORD_INPUTS;
	r->status = 134;
	r->failure.kind = RECORD_FAIL_ASSERT;
	r->failure.thread = 1;
	r->failure.signal = 6;
	r->failure.depth = 2;
	r->failure.stack[0] = 0x400010;
	strcpy(r->failure.text, "x == y");
	r->place.function = xstrdup("worker");
	r->place.file = xstrdup("server.c");
	r->place.line = 12;
	add_task(r, RECORD_NO_THREAD, 5);
	add_task(r, 0, 2000);
	vec_push(&r->functions, f);
	m.words = xcalloc(3, sizeof(*m.words));
	m.words[0] = 0xff;
	m.words[1] = 0x21;
	vec_push(&r->marks, m);
	vec_push(&r->notes, xstrdup("a note"));
}
