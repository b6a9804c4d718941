#include "report/ci/github.h"

#include <inttypes.h>
#include <string.h>

/* What has a meaning in a command is written as a number; more of it in a property. */
static void add_data(struct strbuf *to, const char *text, bool is_property)
{
	for (; *text; text++) {
		bool special = *text == '%' || *text == '\r' || *text == '\n' ||
			       (is_property && (*text == ':' || *text == ','));

		if (special)
			strbuf_addf(to, "%%%02X", (unsigned char)*text);
		else
			strbuf_add_char(to, *text);
	}
}

static const char *below(const char *file, const char *root)
{
	size_t n = root ? strlen(root) : 0;

	if (n && strncmp(file, root, n) == 0 && file[n] == '/')
		return file + n + 1;
	return file;
}

static void add_place(struct strbuf *to, const struct finding_place *p, const char *root)
{
	strbuf_add(to, "file=");
	add_data(to, below(p->file, root), true);
	if (p->line)
		strbuf_addf(to, ",line=%" PRIu64, p->line);
	if (p->column)
		strbuf_addf(to, ",col=%" PRIu64, p->column);
	strbuf_add_char(to, ',');
}

static void add_finding(const struct finding *f, const char *root, struct strbuf *to)
{
	static const char *const levels[] = {
		[FINDING_ERROR] = "error",
		[FINDING_WARNING] = "warning",
		[FINDING_UNDECIDED] = "notice",
	};

	strbuf_addf(to, "::%s ", levels[f->level]);
	if (f->events.count && f->events.items[0].at.file)
		add_place(to, &f->events.items[0].at, root);
	strbuf_addf(to, "title=heddle%%3A %s::", f->rule);
	add_data(to, f->message, false);
	for (size_t i = 0; i < f->events.count && f->events.count > 1; i++) {
		strbuf_add(to, "%0A");
		add_data(to, f->events.items[i].text, false);
	}
	if (f->bundle) {
		strbuf_add(to, "%0Areplay: heddle replay ");
		add_data(to, f->bundle, false);
	}
	strbuf_add_char(to, '\n');
}

void report_github_write(const struct findings *all, const char *root, struct strbuf *to)
{
	for (size_t i = 0; i < all->count; i++)
		if (!all->items[i].suppressed && all->items[i].level != FINDING_EXCLUDED)
			add_finding(&all->items[i], root, to);
}
