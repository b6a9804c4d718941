#include "explore/nested/failure.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "base/fs.h"
#include "base/mem.h"
#include "stable/symbols.h"
#include "stable/text.h"

/* ---- assertions ---- */

static const char *line_start(const char *text, const char *at)
{
	while (at > text && at[-1] != '\n')
		at--;
	return at;
}

/* "…FILE:LINE: FUNCTION: " before the words that end it; FUNCTION may have colons of its own. */
static bool take_place(const char *begin, const char *end, struct nested_failure *f)
{
	for (const char *c = begin; c + 1 < end; c++) {
		char *after;
		unsigned long line;
		const char *file = begin;

		if (*c != ':' || c[1] < '0' || c[1] > '9')
			continue;
		line = strtoul(c + 1, &after, 10);
		if (*after != ':' || after[1] != ' ' || after + 2 > end)
			continue;
		/* The C library puts the program's name before it. */
		for (const char *d = begin; d + 1 < c; d++)
			if (d[0] == ':' && d[1] == ' ')
				file = d + 2;
		f->file = xstrndup(file, (size_t)(c - file));
		f->line = line;
		after += 2;
		if (end - after >= 2)
			f->function = xstrndup(after, (size_t)(end - after - 2));
		return true;
	}
	return false;
}

bool nested_failure_parse(const char *output, struct nested_failure *f)
{
	static const char *const marks[] = {"Assertion `", "heddle_assert("};
	const char *last = NULL;

	for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++)
		for (const char *at = output; (at = strstr(at, marks[i])) != NULL; at++) {
			const char *end = at + strcspn(at, "\n");

			if (end - at > 7 && strncmp(end - 7, "failed.", 7) == 0 &&
			    (!last || at > last))
				last = at;
		}
	if (!last)
		return false;
	f->headline = xstrndup(last, strcspn(last, "\n"));
	take_place(line_start(output, last), last, f);
	return true;
}

/* ---- the rest ---- */

static void add_stands(const struct nested_run *run, struct strbuf *to)
{
	for (size_t i = 0; i < run->stands.count; i++) {
		const struct nested_stand *s = &run->stands.items[i];

		strbuf_add(to, "  ");
		nested_add_op(&s->offer.op, to);
		strbuf_add(to, s->offer.enabled ? "" : " waits");
		if (s->pc) {
			strbuf_add(to, " at ");
			stable_symbols_pc(run->launch.ctl, s->pc, to);
		}
		strbuf_add_char(to, '\n');
	}
}

static void deadlock(const struct nested_run *run, struct nested_failure *f)
{
	struct strbuf text = STRBUF_INIT;

	f->kind = "deadlock";
	f->headline = xstrdup("deadlock: no thread can go on");
	if (run->launch.ctl->flags & STABLE_FLAG_DEADLOCK)
		stable_text_deadlock(run->launch.ctl, &text);
	else
		add_stands(run, &text);
	f->details = strbuf_take(&text);
}

static void killed(const struct nested_run *run, struct nested_failure *f)
{
	int number = WTERMSIG(run->status);

	f->code = number;
	if (number == SIGABRT && nested_failure_parse(run->output, f)) {
		f->kind = "assert";
		return;
	}
	f->kind = number == SIGABRT ? "abort" : "signal";
	f->headline =
		xasprintf("the program was ended by signal %d (%s)", number, strsignal(number));
}

void nested_failure_of(const struct nested_program *p, const struct nested_run *run,
		       struct nested_failure *f)
{
	memset(f, 0, sizeof(*f));
	if (run->end == NESTED_STUCK) {
		deadlock(run, f);
	} else if (run->end != NESTED_ENDED) {
		return;
	} else if (WIFSIGNALED(run->status)) {
		killed(run, f);
	} else if (p->exit_fails && WEXITSTATUS(run->status) != 0) {
		f->kind = "exit";
		f->code = WEXITSTATUS(run->status);
		f->headline = xasprintf("the program ended with status %d", f->code);
	}
	if (!f->kind)
		return;
	if (!f->details)
		f->details = xstrdup("");
	f->key = fs_hash(FS_HASH_START, f->headline, strlen(f->headline));
}

void nested_failure_fini(struct nested_failure *f)
{
	free(f->headline);
	free(f->details);
	free(f->file);
	free(f->function);
	memset(f, 0, sizeof(*f));
}
