/* heddle info: what is in a bundle. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/exit.h"
#include "cli/info_json.h"
#include "cli/info_text.h"
#include "model/schedule.h"
#include "trace/reader.h"

/* Text gathered before it is written; the events of a long execution do not fit in memory. */
#define CHUNK (1u << 16)
#define SCHEDULE_WIDTH 100

struct info_opts {
	bool events, schedule, json;
};

#define AT(field) offsetof(struct info_opts, field)

static const struct cli_option table[] = {
	{'e', "events", OPTION_FLAG, AT(events), NULL, 0, 0, NULL,
	 "list the events, one per line: thread, index in it, kind, address, variable, value, "
	 "place"},
	{'s', "schedule", OPTION_FLAG, AT(schedule), NULL, 0, 0, NULL,
	 "print the schedule as words: T1*12 (thread 1, 12 steps), T1.flush0, T1.timeout, "
	 "T1.pick2"},
	{0, "json", OPTION_FLAG, AT(json), NULL, 0, 0, NULL,
	 "everything, events and schedule included, as JSON"},
	{0, NULL, OPTION_FLAG, 0, NULL, 0, 0, NULL, NULL},
};

static const struct cli_options options = {
	.command = "info",
	.operands = "BUNDLE",
	.about = "Shows what is in a bundle: the program, how the execution was chosen, how it "
		 "ended, its threads, events and schedule. The whole bundle is read and checked.",
	.table = table,
};

/* Writes what has gathered when it is enough, or in any case. */
static void flush(struct strbuf *text, bool always)
{
	if (text->length == 0 || (!always && text->length < CHUNK))
		return;
	fwrite(text->text, 1, text->length, stdout);
	strbuf_clear(text);
}

static int print_summary(struct trace_reader *r, const char *dir, struct strbuf *text,
			 struct err *e)
{
	const struct trace_bundle *b = trace_reader_parts(r);
	static struct cli_info_counts counts;
	struct wire_event event;
	int rc;

	while ((rc = trace_reader_next(r, &event, e)) > 0) {
		counts.events++;
		counts.by_kind[event.kind]++;
		counts.by_thread[event.tid]++;
	}
	if (rc == 0)
		cli_info_text_summary(b, dir, &counts, text);
	return rc;
}

static int print_events(struct trace_reader *r, struct strbuf *text, struct err *e)
{
	const struct trace_bundle *b = trace_reader_parts(r);
	struct wire_event event;
	uint64_t index = 0;
	int rc;

	cli_info_text_heading(text);
	while ((rc = trace_reader_next(r, &event, e)) > 0) {
		cli_info_text_event(b, &event, index++, text);
		flush(text, false);
	}
	return rc;
}

static int print_json(struct trace_reader *r, const char *dir, struct strbuf *text, struct err *e)
{
	const struct trace_bundle *b = trace_reader_parts(r);
	struct wire_event event;
	struct json_out j;
	int rc;

	json_out_init(&j, text);
	cli_info_json_begin(&j, b, dir);
	while ((rc = trace_reader_next(r, &event, e)) > 0) {
		cli_info_json_event(&j, b, &event);
		flush(text, false);
	}
	cli_info_json_end(&j);
	return rc;
}

static int print_all(struct trace_reader *r, const char *dir, const struct info_opts *o,
		     struct strbuf *text, struct err *e)
{
	const struct trace_bundle *b = trace_reader_parts(r);

	if (o->json)
		return print_json(r, dir, text, e);
	if (o->schedule)
		model_schedule_print(b->schedule.items, b->schedule.count, SCHEDULE_WIDTH, text);
	if (o->events)
		return print_events(r, text, e);
	return o->schedule ? 0 : print_summary(r, dir, text, e);
}

static int show(const char *dir, const struct info_opts *o, struct err *e)
{
	struct strbuf text = STRBUF_INIT;
	struct trace_reader *r;
	int rc;

	rc = trace_reader_open(dir, &r, e);
	if (rc)
		return rc;
	rc = print_all(r, dir, o, &text, e);
	if (rc == 0 || o->events)
		flush(&text, true);
	trace_reader_close(r);
	strbuf_free(&text);
	if (rc == 0 && (fflush(stdout) || ferror(stdout)))
		rc = err_set(e, ERR_IO, "cannot write the output");
	return rc;
}

/* Options may also follow the bundle, which reads more naturally for this command. */
static int parse(int argc, char **argv, struct info_opts *o, const char **dir, struct err *e)
{
	int rest, more;
	int rc = cli_options_parse(&options, o, argc, argv, &rest, e);

	if (rc != 0)
		return rc;
	if (rest == argc)
		return err_set(e, ERR_USAGE, "a bundle is missing (see heddle info --help)");
	*dir = argv[rest];
	rc = cli_options_parse(&options, o, argc - rest, argv + rest, &more, e);
	if (rc == 0 && rest + more < argc)
		rc = err_set(e, ERR_USAGE, "one bundle at a time: '%s' is too much",
			     argv[rest + more]);
	return rc;
}

int cmd_info_run(int argc, char **argv)
{
	struct info_opts o = {.json = false};
	struct err e = ERR_INIT;
	const char *dir = NULL;
	int rc = parse(argc, argv, &o, &dir, &e);

	if (rc != 0)
		return cli_exit_options(&options, rc, &e);
	rc = show(dir, &o, &e);
	return rc ? cli_exit_error("info", &e) : CLI_CLEAN;
}
