#include "run/guest/inputs.h"

#include <string.h>

#include "wire/feed.h"

static void add(struct run_inputs *x, const void *bytes, size_t n)
{
	vec_reserve(x, x->count + n);
	if (n)
		memcpy(x->items + x->count, bytes, n);
	x->count += n;
}

static void add_record(struct run_inputs *x, const struct trace_input *in)
{
	static const char zeros[8];
	struct record_input head = in->head;
	size_t padding = -head.data & 7;

	head.bytes = (uint32_t)(sizeof(head) + head.data + padding);
	add(x, &head, sizeof(head));
	add(x, in->data, head.data);
	add(x, zeros, padding);
}

/* Standard input is a file to the program that is started, and not asked of the log. */
static bool is_fed(const struct trace_input *in)
{
	return in->head.kind != RECORD_IN_FILE || (in->head.data && *in->data);
}

static void add_task(struct run_inputs *x, const struct trace_task *t, size_t row)
{
	struct wire_feed_task out = {t->row.creator, t->row.index, x->count, 0};

	/* A handler is no thread; nobody has its number. */
	if (t->row.state == RECORD_THREAD_HANDLER)
		out.index = WIRE_FEED_HANDLER;
	for (size_t k = 0; k < t->inputs.count; k++)
		if (is_fed(&t->inputs.items[k]))
			add_record(x, &t->inputs.items[k]);
	out.bytes = x->count - out.at;
	memcpy(x->items + row, &out, sizeof(out));
}

void run_inputs_make(struct run_inputs *x, const struct trace_recording *r)
{
	struct wire_feed head = {WIRE_FEED_MAGIC, (uint32_t)r->tasks.count};
	struct wire_feed_task row = {0, 0, 0, 0};
	uint64_t any = 0;

	for (size_t i = 0; i < r->tasks.count; i++)
		for (size_t k = 0; k < r->tasks.items[i].inputs.count; k++)
			any += is_fed(&r->tasks.items[i].inputs.items[k]);
	if (!any)
		return;
	add(x, &head, sizeof(head));
	for (size_t i = 0; i < r->tasks.count; i++)
		add(x, &row, sizeof(row));
	for (size_t i = 0; i < r->tasks.count; i++)
		add_task(x, &r->tasks.items[i], sizeof(head) + i * sizeof(row));
}

int run_inputs_read(struct run_inputs *x, const char *dir, struct err *e)
{
	struct trace_recording r = TRACE_RECORDING_INIT;
	int rc = trace_recording_read(dir, &r, e);

	if (rc != 0)
		return err_wrap(e, "the inputs of the execution cannot be read");
	run_inputs_make(x, &r);
	trace_recording_fini(&r);
	return 0;
}
