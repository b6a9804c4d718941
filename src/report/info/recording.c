#include "report/info/recording.h"

#include <inttypes.h>
#include <string.h>

#include "base/json_out.h"
#include "report/info/json.h"
#include "model/memory_model.h"

#define LABEL "%-11s "
#define MAX_ROWS 40 /* threads on one screen */

static const char *signal_name(int number)
{
	const char *name = sigabbrev_np(number);

	return name ? name : "?";
}

void report_info_recording_failure(const struct trace_recording *r, struct strbuf *to)
{
	const struct record_failure *f = &r->failure;

	switch (f->kind) {
	case RECORD_FAIL_NONE:
		strbuf_add(to, "none");
		return;
	case RECORD_FAIL_SIGNAL:
		strbuf_addf(to, "signal SIG%s", signal_name(f->signal));
		if (f->code > 0)
			strbuf_addf(to, " at address 0x%" PRIx64, f->address);
		break;
	case RECORD_FAIL_KILLED:
		strbuf_addf(to, "killed by SIG%s", signal_name(f->signal));
		break;
	default:
		strbuf_add(to, trace_record_failure_name(f->kind));
		break;
	}
	if (f->text[0])
		strbuf_addf(to, ": %s", f->text);
	if (f->thread != RECORD_NO_THREAD)
		strbuf_addf(to, " (thread T%u)", f->thread);
}

static void add_place(const struct trace_recording *r, struct strbuf *to)
{
	const struct trace_place *p = &r->place;

	if (!p->function[0] && !p->file[0])
		return;
	strbuf_addf(to, LABEL "%s", "place", p->file[0] ? p->file : "?");
	if (p->line)
		strbuf_addf(to, ":%u", p->line);
	if (p->function[0])
		strbuf_addf(to, ", %s", p->function);
	strbuf_add_char(to, '\n');
}

static void add_origin(const struct trace_recording *r, struct strbuf *to)
{
	strbuf_addf(to, LABEL "heddle %s, backend %s", "made by", r->meta.tool_version,
		    trace_record_backend_name(r->backend));
	if (r->flags & RECORD_MARK_ALL)
		strbuf_add(to, ", every point");
	if (r->ring)
		strbuf_addf(to, ", rings of %" PRIu64 " bytes", r->ring);
	if (r->flags & RECORD_CHECK_FLAVOR)
		strbuf_add(to, ", check flavour");
	if (r->cores)
		strbuf_addf(to, ", %u cores, seed %" PRIu64 ", %s", r->cores, r->meta.seed,
			    model_memory_get(r->meta.model)->name);
	strbuf_addf(to, ", inputs %s\n", r->flags & RECORD_INPUTS ? "on" : "off");
}

static const char *const states[] = {"unused", "created", "running", "ended", "handler"};

static void add_loss(uint32_t loss, struct strbuf *to)
{
	static const char *const words[] = {"no room on the disk", "too many threads or chunks",
					    "a signal handler was left by longjmp",
					    "the oldest part was overwritten"};
	bool any = false;

	for (unsigned i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (loss >> i & 1) {
			strbuf_addf(to, "%s%s", any ? "; " : "", words[i]);
			any = true;
		}
}

static void add_tasks(const struct trace_recording *r, struct strbuf *to)
{
	strbuf_addf(to, LABEL "%zu\n", "threads", r->tasks.count);
	for (size_t i = 0; i < r->tasks.count && i < MAX_ROWS; i++) {
		const struct trace_task *t = &r->tasks.items[i];

		strbuf_addf(to, "  T%zu", i);
		if (t->row.creator != RECORD_NO_THREAD)
			strbuf_addf(to, " (T%u.%u)", t->row.creator, t->row.index);
		strbuf_addf(to, " %s, %s: %" PRIu64 " bits, %zu stamps, %zu inputs, %u operations",
			    t->entry[0] ? t->entry : "?", states[t->row.state], t->bits,
			    t->stamps.count, t->inputs.count, t->row.ops);
		if (t->row.waits_on)
			strbuf_addf(to, ", waits (%s) at 0x%" PRIx64,
				    trace_record_stamp_name(t->row.waits_at), t->row.waits_on);
		if (t->row.loss) {
			strbuf_add(to, ", lost: ");
			add_loss(t->row.loss, to);
		}
		strbuf_add_char(to, '\n');
	}
	if (r->tasks.count > MAX_ROWS)
		strbuf_addf(to, "  and %zu more\n", r->tasks.count - MAX_ROWS);
}

void report_info_recording_text(const struct trace_recording *r, const char *dir, struct strbuf *to)
{
	uint64_t points = 0, marked = 0;

	strbuf_addf(to, LABEL "%s\n", "recording", dir);
	strbuf_addf(to, LABEL "%s", "program", r->meta.program);
	for (size_t i = 1; i < r->meta.argv.count; i++)
		strbuf_addf(to, " %s", r->meta.argv.items[i]);
	strbuf_addf(to, "\n" LABEL "%s\n", "directory", r->meta.cwd);
	add_origin(r, to);
	strbuf_addf(to, LABEL "%d\n" LABEL, "status", r->status, "failure");
	report_info_recording_failure(r, to);
	strbuf_add_char(to, '\n');
	add_place(r, to);
	for (size_t i = 0; i < r->marks.count; i++) {
		points += r->marks.items[i].head.points;
		for (uint32_t w = 0; w < r->marks.items[i].head.words; w++)
			marked += (unsigned)__builtin_popcountll(r->marks.items[i].words[w]);
	}
	strbuf_addf(to, LABEL "%" PRIu64 " of %" PRIu64 " in %zu units are recorded\n", "points",
		    marked, points, r->marks.count);
	add_tasks(r, to);
	if (r->loss) {
		strbuf_addf(to, LABEL, "lost");
		add_loss(r->loss, to);
		strbuf_add_char(to, '\n');
	}
	if (r->forked)
		strbuf_addf(to, LABEL "%u, not recorded\n", "processes", r->forked);
	for (size_t i = 0; i < r->notes.count; i++)
		strbuf_addf(to, LABEL "%s\n", i ? "" : "notes", r->notes.items[i]);
}

static void add_inputs(const struct trace_task *t, size_t i, struct strbuf *to)
{
	for (size_t k = 0; k < t->inputs.count; k++) {
		const struct record_input *in = &t->inputs.items[k].head;

		strbuf_addf(to, "T%zu after %" PRIu64 " bits: %s = %" PRId64, i, in->bits,
			    trace_input_name(in->kind), in->result);
		if (in->data)
			strbuf_addf(to, ", %u bytes", in->data);
		if (in->error)
			strbuf_addf(to, " (%s)", strerrorname_np(in->error)
							 ? strerrorname_np(in->error)
							 : "?");
		strbuf_add_char(to, '\n');
	}
}

void report_info_recording_events(const struct trace_recording *r, struct strbuf *to)
{
	for (size_t i = 0; i < r->tasks.count; i++) {
		const struct trace_task *t = &r->tasks.items[i];

		for (size_t k = 0; k < t->stamps.count; k++) {
			const struct record_stamp *s = &t->stamps.items[k];

			strbuf_addf(to, "T%zu after %" PRIu64 " bits: %s 0x%" PRIx64 " at %" PRIu64
				    " on core %u\n", i, s->bits, trace_record_stamp_name(s->kind),
				    s->object, s->tsc, s->cpu);
		}
		add_inputs(t, i, to);
	}
}

static void add_failure_json(struct json_out *j, const struct trace_recording *r)
{
	const struct record_failure *f = &r->failure;
	struct strbuf text = STRBUF_INIT;

	if (f->kind == RECORD_FAIL_NONE) {
		json_out_string(j, "failure", NULL);
		return;
	}
	json_out_object_begin(j, "failure");
	json_out_string(j, "kind", trace_record_failure_name(f->kind));
	json_out_string(j, "message", f->text);
	json_out_int(j, "signal", f->signal);
	json_out_hex(j, "address", f->address);
	if (f->thread != RECORD_NO_THREAD)
		json_out_uint(j, "thread", f->thread);
	json_out_object_begin(j, "place");
	json_out_string(j, "file", r->place.file[0] ? r->place.file : NULL);
	json_out_uint(j, "line", r->place.line);
	json_out_string(j, "function", r->place.function[0] ? r->place.function : NULL);
	json_out_object_end(j);
	json_out_array_begin(j, "stack");
	for (uint32_t i = 0; i < f->depth; i++) {
		json_out_object_begin(j, NULL);
		json_out_hex(j, "address", f->stack[i]);
		strbuf_clear(&text);
		if (trace_symbols_print(&r->symbols, f->stack[i], &text))
			json_out_string(j, "symbol", text.text);
		json_out_object_end(j);
	}
	json_out_array_end(j);
	json_out_object_end(j);
	strbuf_free(&text);
}

static void add_task_json(struct json_out *j, const struct trace_task *t)
{
	json_out_object_begin(j, NULL);
	if (t->row.creator != RECORD_NO_THREAD) {
		json_out_uint(j, "creator", t->row.creator);
		json_out_uint(j, "index", t->row.index);
	}
	json_out_string(j, "entry", t->entry);
	json_out_string(j, "state", states[t->row.state]);
	json_out_int(j, "os_tid", t->row.os_tid);
	json_out_uint(j, "bits", t->bits);
	json_out_uint(j, "stamps", t->stamps.count);
	json_out_uint(j, "inputs", t->inputs.count);
	json_out_uint(j, "operations", t->row.ops);
	json_out_uint(j, "loss", t->row.loss);
	json_out_object_end(j);
}

void report_info_recording_json(const struct trace_recording *r, const char *dir, struct strbuf *to)
{
	struct json_out j;

	json_out_init(&j, to);
	json_out_object_begin(&j, NULL);
	json_out_string(&j, "recording", dir);
	json_out_string(&j, "backend", trace_record_backend_name(r->backend));
	report_info_json_meta(&j, &r->meta);
	json_out_uint(&j, "cores", r->cores);
	json_out_bool(&j, "inputs_logged", r->flags & RECORD_INPUTS);
	json_out_bool(&j, "every_point", r->flags & RECORD_MARK_ALL);
	json_out_uint(&j, "ring", r->ring);
	json_out_int(&j, "status", r->status);
	add_failure_json(&j, r);
	json_out_array_begin(&j, "threads");
	for (size_t i = 0; i < r->tasks.count; i++)
		add_task_json(&j, &r->tasks.items[i]);
	json_out_array_end(&j);
	json_out_uint(&j, "loss", r->loss);
	json_out_uint(&j, "forked", r->forked);
	json_out_array_begin(&j, "units");
	for (size_t i = 0; i < r->marks.count; i++) {
		json_out_object_begin(&j, NULL);
		json_out_hex(&j, "canonical_hash", r->marks.items[i].head.canon);
		json_out_uint(&j, "points", r->marks.items[i].head.points);
		json_out_object_end(&j);
	}
	json_out_array_end(&j);
	json_out_array_begin(&j, "notes");
	for (size_t i = 0; i < r->notes.count; i++)
		json_out_string(&j, NULL, r->notes.items[i]);
	json_out_array_end(&j);
	json_out_object_end(&j);
	strbuf_add_char(to, '\n');
}
