/*
 * A recording that says only how a run failed: make_recording OUT KIND SIGNAL FILE LINE FUNCTION
 * FLAVOR PROGRAM [ARGUMENT...].  KIND is a number of enum record_failure_kind, FLAVOR "check" or
 * "record"; "-" stands for an unknown FILE or FUNCTION.
 *
 * The file that INPUTS names in the environment has more threads and what they got from outside:
 * "task CREATOR INDEX" begins a thread, "KIND RESULT DETAIL TEXT" is an input of the last one.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "trace/bundle/recording.h"
#include "wire/ctl.h"

extern char **environ;

static char *text(const char *word)
{
	return xstrdup(strcmp(word, "-") ? word : "");
}

static int fill_meta(struct trace_meta *m, int argc, char **argv, struct err *e)
{
	m->program = realpath(argv[0], NULL);
	m->cwd = getcwd(NULL, 0);
	m->tool_version = xstrdup("test");
	m->wire_version = WIRE_VERSION;
	for (int i = 0; i < argc; i++)
		vec_push(&m->argv, xstrdup(argv[i]));
	for (char **v = environ; *v; v++)
		vec_push(&m->environ, xstrdup(*v));
	return trace_file_id_get(&m->executable, m->program ? m->program : argv[0], e);
}

static void add_input(struct trace_task *t, const char *line)
{
	struct trace_input in = {.data = NULL};
	unsigned int kind;
	long result, detail;
	int at = 0;

	if (sscanf(line, "%u %ld %ld %n", &kind, &result, &detail, &at) < 3)
		exit(2);
	in.head.kind = (uint16_t)kind;
	in.head.result = result;
	in.head.detail = (uint64_t)detail;
	in.head.data = (uint32_t)strlen(line + at);
	in.head.bytes = (uint32_t)((sizeof(in.head) + in.head.data + 7) & ~(size_t)7);
	if (in.head.data)
		in.data = (uint8_t *)xstrdup(line + at);
	vec_push(&t->inputs, in);
}

static void read_inputs(struct trace_recording *r, FILE *from)
{
	char line[256];

	while (fgets(line, sizeof(line), from)) {
		struct trace_task t = {.row = {.state = RECORD_THREAD_RUNS}};

		line[strcspn(line, "\n")] = '\0';
		if (sscanf(line, "task %u %u", &t.row.creator, &t.row.index) == 2) {
			t.entry = xstrdup("?");
			vec_push(&r->tasks, t);
		} else {
			add_input(&vec_last(&r->tasks), line);
		}
	}
	fclose(from);
	r->flags |= RECORD_INPUTS;
}

int main(int argc, char **argv)
{
	FILE *inputs = getenv("INPUTS") ? fopen(getenv("INPUTS"), "r") : NULL;

	struct trace_recording r = TRACE_RECORDING_INIT;
	struct trace_task first = {.row = {.creator = RECORD_NO_THREAD, .state = RECORD_THREAD_RUNS}};
	struct err e = ERR_INIT;
	int rc;

	if (argc < 9)
		return 2;
	rc = fill_meta(&r.meta, argc - 8, argv + 8, &e);
	r.failure.kind = (uint32_t)atoi(argv[2]);
	r.failure.signal = atoi(argv[3]);
	r.failure.thread = RECORD_NO_THREAD;
	r.place.file = text(argv[4]);
	r.place.line = (uint32_t)atoi(argv[5]);
	r.place.function = text(argv[6]);
	r.flags = strcmp(argv[7], "check") ? 0 : RECORD_CHECK_FLAVOR;
	first.entry = xstrdup("main");
	vec_push(&r.tasks, first);
	if (inputs)
		read_inputs(&r, inputs);
	if (rc == 0)
		rc = trace_recording_write(argv[1], &r, &e);
	if (rc != 0)
		fprintf(stderr, "make_recording: %s\n", e.text);
	trace_recording_fini(&r);
	return rc ? 3 : 0;
}
