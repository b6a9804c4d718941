/* heddle info: what is in a bundle. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/exit.h"
#include "cli/hunt_info.h"
#include "cli/info/redact.h"
#include "cli/place.h"
#include "report/info/json.h"
#include "report/info/recording.h"
#include "report/info/text.h"
#include "model/schedule.h"
#include "trace/bundle/reader.h"

/* Text gathered before it is written; the events of a long execution do not fit in memory. */
#define CHUNK (1u << 16)
#define SCHEDULE_WIDTH 100

struct info_opts {
	bool events, schedule, json, redact;
	const char *out;
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
	{0, "redact", OPTION_FLAG, AT(redact), NULL, 0, 0, NULL,
	 "write a bundle to hand on, without environment, arguments, output and directories, and "
	 "say what was taken out"},
	{'o', "output", OPTION_STRING, AT(out), NULL, 0, 0, "NAME.heddle",
	 "its name; the default is that of the bundle with -redacted"},
	{0, NULL, OPTION_FLAG, 0, NULL, 0, 0, NULL, NULL},
};

static const struct cli_options options = {
	.command = "info",
	.operands = "BUNDLE|PACK|RECORDING|HUNT",
	.about =
		"Shows what is in a bundle: the program, how the execution was chosen, how it "
		"ended, its threads, events and schedule; of a recording, its threads, failure and "
		"what was lost; of the directory of a hunt, its runs and what was proved. The "
		"whole directory is read and checked.",
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
	static struct report_info_counts counts;
	struct wire_event event;
	int rc;

	while ((rc = trace_reader_next(r, &event, e)) > 0) {
		counts.events++;
		counts.by_kind[event.kind]++;
		counts.by_thread[event.tid]++;
	}
	if (rc == 0)
		report_info_text_summary(b, dir, &counts, text);
	return rc;
}

static int print_events(struct trace_reader *r, struct strbuf *text, struct err *e)
{
	const struct trace_bundle *b = trace_reader_parts(r);
	struct wire_event event;
	uint64_t index = 0;
	int rc;

	report_info_text_heading(text);
	while ((rc = trace_reader_next(r, &event, e)) > 0) {
		report_info_text_event(b, &event, index++, text);
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
	report_info_json_begin(&j, b, dir);
	while ((rc = trace_reader_next(r, &event, e)) > 0) {
		report_info_json_event(&j, b, &event);
		flush(text, false);
	}
	report_info_json_end(&j);
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

static int show_recording(const char *dir, const struct info_opts *o, struct err *e)
{
	struct trace_recording r = TRACE_RECORDING_INIT;
	struct strbuf text = STRBUF_INIT;
	int rc;

	if (o->schedule)
		return err_set(e, ERR_USAGE, "%s is a recording: it has no schedule", dir);
	rc = trace_recording_read(dir, &r, e);
	if (rc)
		return rc;
	if (o->json)
		report_info_recording_json(&r, dir, &text);
	else if (o->events)
		report_info_recording_events(&r, &text);
	else
		report_info_recording_text(&r, dir, &text);
	flush(&text, true);
	strbuf_free(&text);
	trace_recording_fini(&r);
	return 0;
}

/* The name of a bundle or pack without directory and ending. */
static char *redacted_name(const char *name)
{
	size_t n = strlen(name), begin;

	while (n > 1 && name[n - 1] == '/')
		n--;
	for (begin = n; begin > 0 && name[begin - 1] != '/'; begin--)
		;
	for (size_t i = n; i > begin + 1; i--)
		if (name[i - 1] == '.') {
			n = i - 1;
			break;
		}
	return xasprintf("%.*s-redacted.heddle", (int)(n - begin), name + begin);
}

static int redact(const char *dir, const char *name, const struct info_opts *o, struct err *e)
{
	struct trace_bundle b = TRACE_BUNDLE_INIT;
	struct redact_counts c = {0};
	char *path = o->out ? xstrdup(o->out) : redacted_name(name);
	int rc = trace_bundle_read(dir, &b, e);

	if (rc == 0) {
		redact_bundle(&b, &c);
		rc = trace_bundle_write(path, &b, e);
	}
	if (rc == 0)
		printf("taken out: %zu environment variables, %zu arguments, %zu bytes of output, "
		       "directories in %zu places, %zu notes\n"
		       "kept: names and lines of the program, events with the values that threads "
		       "read and wrote, the failure and its message, names of threads\n"
		       "info: %s can be read and analysed, not replayed\n",
		       c.variables, c.arguments, c.output_bytes, c.directories, c.notes, path);
	trace_bundle_fini(&b);
	free(path);
	return rc;
}

static int show(const char *dir, const struct info_opts *o, struct err *e)
{
	struct strbuf text = STRBUF_INIT;
	const char *name = dir;
	struct trace_reader *r;
	int rc = cli_place_open(&dir, true, e);

	if (rc)
		return rc;
	if (o->redact && (trace_recording_is(dir) || cli_hunt_info_is(dir)))
		return err_set(e, ERR_UNSUPPORTED, "%s is no bundle: only these are redacted",
			       name);
	if (o->redact)
		return redact(dir, name, o, e);
	if (trace_recording_is(dir))
		return show_recording(dir, o, e);
	if (cli_hunt_info_is(dir)) {
		rc = cli_hunt_info(dir, o->json, &text, e);
		flush(&text, true);
		strbuf_free(&text);
		return rc;
	}
	rc = trace_reader_open(dir, &r, e);
	if (rc)
		return rc;
	rc = print_all(r, name, o, &text, e);
	if (rc == 0 || o->events)
		flush(&text, true);
	trace_reader_close(r);
	strbuf_free(&text);
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
	if (rc == 0 && o->out && !o->redact)
		rc = err_set(e, ERR_USAGE, "--output is for --redact");
	if (rc == 0 && (o->redact && (o->events || o->schedule || o->json)))
		rc = err_set(e, ERR_USAGE, "--redact shows nothing: use info on what it writes");
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
