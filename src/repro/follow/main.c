/* heddle-solve: a schedule for a recorded failure, computed.  For heddle reproduce, not for people. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/log.h"
#include "repro/answer.h"
#include "repro/follow/follow.h"

static int write_answer(const char *path, const struct repro_follow_result *r, struct err *e)
{
	struct repro_answer a = {.magic = REPRO_ANSWER_MAGIC,
				 .answer = r->answer,
				 .model = r->model,
				 .vars = r->counts.vars,
				 .total = r->counts.total,
				 .rw = r->counts.rw,
				 .path = r->counts.path,
				 .sync = r->counts.sync,
				 .order = r->counts.order,
				 .events = r->events,
				 .rounds = r->rounds,
				 .execute_ns = r->execute_ns,
				 .solve_ns = r->solve_ns,
				 .choices = r->schedule.count};
	struct strbuf to = STRBUF_INIT;
	int rc;

	memcpy(a.reason, r->reason, sizeof(a.reason));
	strbuf_add_bytes(&to, &a, sizeof(a));
	strbuf_add_bytes(&to, r->schedule.items, r->schedule.count * sizeof(struct wire_choice));
	rc = fs_write_file(path, to.text, to.length, e);
	strbuf_free(&to);
	return rc;
}

/* heddle-solve RECORDING PROGRAM OUT core|plain MODELS NANOSECONDS; MODELS are bits. */
int main(int argc, char **argv)
{
	struct trace_recording r = TRACE_RECORDING_INIT;
	struct repro_follow_result result = {.answer = SOLVE_UNKNOWN};
	struct limit limit = LIMIT_INIT;
	struct repro_follow_opts o = {.limit = &limit};
	struct err e = ERR_INIT;
	unsigned long models;
	int rc;

	if (argc != 7) {
		fprintf(stderr, "heddle-solve: this is a part of heddle reproduce\n");
		return 2;
	}
	models = strtoul(argv[5], NULL, 10);
	limit = limit_within(&limit, strtoull(argv[6], NULL, 10));
	/* Executing has no limit of time of its own; whoever asked knows what it means. */
	alarm((unsigned)(strtoull(argv[6], NULL, 10) / 1000000000 % 1000000) + 2);
	o.program = argv[2];
	o.by_core = strcmp(argv[4], "core") == 0;
	for (int m = MODEL_SC; m < MODEL_COUNT; m++)
		o.models[m] = models >> m & 1;
	rc = trace_recording_read(argv[1], &r, &e);
	if (rc == 0)
		rc = repro_follow(&r, &o, &result, &e);
	if (rc == 0)
		rc = write_answer(argv[3], &result, &e);
	if (rc != 0)
		fprintf(stderr, "heddle-solve: %s\n", e.text);
	repro_follow_result_fini(&result);
	trace_recording_fini(&r);
	return rc ? 3 : 0;
}
