#include "cli/side.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fs.h"
#include "report/describe.h"
#include "report/ci/github.h"
#include "report/ci/junit.h"

static bool is_given(const char *value)
{
	return value && value[0];
}

bool cli_side_wants_all(const struct cli_side_opts *o)
{
	return is_given(o->suppressions) || is_given(o->baseline) || is_given(o->save_baseline);
}

int cli_side_begin(struct cli_side *s, const struct cli_side_opts *o, struct err *e)
{
	int rc = 0;

	s->o = o;
	if (is_given(o->suppressions))
		rc = report_known_suppressions(&s->known, o->suppressions, e);
	if (rc == 0 && is_given(o->baseline))
		rc = report_known_baseline(&s->known, o->baseline, e);
	return rc;
}

void cli_side_fini(struct cli_side *s)
{
	report_known_fini(&s->known);
	findings_fini(&s->all);
}

/* The last one that was added. */
static bool look_at_last(struct cli_side *s)
{
	struct finding *f = &vec_last(&s->all);

	f->suppressed = report_known_has(&s->known, f);
	s->known_count += f->suppressed;
	return f->suppressed;
}

bool cli_side_failure(struct cli_side *s, const struct report_finding *f)
{
	report_describe_failure(f, &s->all);
	return look_at_last(s);
}

void cli_side_races(struct cli_side *s, struct check_race_log *log, enum finding_level level)
{
	for (size_t i = 0; i < log->items.count;) {
		const struct check_recorded_race *r = &log->items.items[i];
		struct report_race race = {r->bundle, {r->events[0], r->events[1]}, r->dir};

		report_describe_race(&race, level, &s->all);
		if (look_at_last(s))
			check_races_remove(log, i);
		else
			i++;
	}
}

static bool wants_annotations(const struct cli_side_opts *o)
{
	const char *github = getenv("GITHUB_ACTIONS");

	if (o->annotations == CLI_ANNOTATIONS_AUTO)
		return github && strcmp(github, "true") == 0;
	return o->annotations == CLI_ANNOTATIONS_GITHUB;
}

/* On standard error: standard output may be an object that somebody reads. */
static void annotate(const struct cli_side *s)
{
	struct strbuf text = STRBUF_INIT;
	char *cwd = getcwd(NULL, 0);

	report_github_write(&s->all, cwd, &text);
	if (text.text)
		fputs(text.text, stderr);
	free(cwd);
	strbuf_free(&text);
}

static int write_junit(const struct cli_side *s, const struct report_summary *summary,
		       const char *test, const char *text, struct err *e)
{
	struct report_junit junit = {.tests = 0};
	struct report_case one = {.suite = summary->program,
				  .name = test,
				  .exit_code = summary->exit_code,
				  .message = summary->text,
				  .text = text,
				  .ns = summary->ns};
	struct strbuf to = STRBUF_INIT;
	int rc;

	report_junit_add(&junit, &one);
	report_junit_write(&junit, summary->program, &to);
	rc = fs_write_file(s->o->junit, to.text, to.length, e);
	report_junit_fini(&junit);
	strbuf_free(&to);
	return rc;
}

int cli_side_end(struct cli_side *s, const struct report_summary *summary, const char *test,
		 const char *text, struct err *e)
{
	int rc = 0;

	if (wants_annotations(s->o))
		annotate(s);
	if (is_given(s->o->save_baseline)) {
		struct strbuf to = STRBUF_INIT;

		report_known_write(&s->all, &to);
		rc = fs_write_file(s->o->save_baseline, to.text, to.length, e);
		strbuf_free(&to);
	}
	if (rc == 0 && is_given(s->o->junit))
		rc = write_junit(s, summary, test, text, e);
	return rc;
}
