#include "cli/info/redact.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "run/guest/keep.h"

bool redact_text(char *text)
{
	bool changed = false;
	char *to = text, before = ' ';

	while (*text) {
		size_t n = strcspn(text, " \t\n\"'`()[]<>,;");
		char *end = text + n, *last;

		if (*text != '/' || n == 1 || !strchr(" \t\n\"'`()[]<>,;=:", before)) {
			before = *to++ = *text++;
			continue;
		}
		last = memrchr(text, '/', n);
		changed = true;
		text = last + 1;
		while (text < end)
			before = *to++ = *text++;
	}
	*to = '\0';
	return changed;
}

static void set_text(char **text, char *now)
{
	free(*text);
	*text = now;
}

/* The name of the file alone. */
static void cut_path(char **path, struct redact_counts *c)
{
	const char *slash = *path ? strrchr(*path, '/') : NULL;

	if (!slash)
		return;
	set_text(path, xstrdup(slash + 1));
	c->directories++;
}

static void redact_meta(struct trace_meta *m, struct redact_counts *c)
{
	c->variables += m->environ.count;
	for (size_t i = 0; i < m->environ.count; i++)
		free(m->environ.items[i]);
	m->environ.count = 0;
	/* The first word is the program. */
	c->arguments += m->argv.count ? m->argv.count - 1 : 0;
	for (size_t i = 0; i < m->argv.count; i++)
		free(m->argv.items[i]);
	m->argv.count = 0;
	c->directories += m->cwd && m->cwd[0];
	set_text(&m->cwd, xstrdup(""));
	cut_path(&m->program, c);
	cut_path(&m->executable.path, c);
	for (size_t i = 0; i < m->modules.count; i++)
		cut_path(&m->modules.items[i].file.path, c);
}

static void redact_sites(struct trace_sites *t, struct redact_counts *c)
{
	for (size_t i = 0; i < t->count; i++) {
		struct trace_site *s = &t->items[i];
		const char *slash = strrchr(s->file, '/');

		c->directories += slash || s->dir[0];
		s->dir = "";
		if (slash)
			s->file = slash + 1;
	}
}

/* Those that name files of the user's are of no use elsewhere. */
static void redact_notes(struct trace_bundle *b, struct redact_counts *c)
{
	size_t kept = 0;

	for (size_t i = 0; i < b->notes.count; i++) {
		char *note = b->notes.items[i];

		if (!strncmp(note, RUN_KEEP_INPUT, strlen(RUN_KEEP_INPUT)) ||
		    !strncmp(note, RUN_KEEP_INPUTS, strlen(RUN_KEEP_INPUTS))) {
			free(note);
			c->notes++;
			continue;
		}
		c->notes += redact_text(note);
		b->notes.items[kept++] = note;
	}
	b->notes.count = kept;
}

void redact_bundle(struct trace_bundle *b, struct redact_counts *c)
{
	struct trace_output *out = &b->output;

	redact_meta(&b->meta, c);
	redact_sites(&b->sites, c);
	redact_notes(b, c);
	c->directories += redact_text(b->outcome.reason);
	c->directories += redact_text(b->outcome.failure.text);
	c->output_bytes += out->out_bytes + out->err_bytes;
	set_text(&out->out, NULL);
	set_text(&out->err, NULL);
	out->out_bytes = out->err_bytes = 0;
}
