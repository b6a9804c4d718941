#include "report/source.h"

#include <stdlib.h>
#include <string.h>

#include "base/fs.h"
#include "base/mem.h"
#include "trace/pack/pack.h"

#define FILE_LIMIT (16u << 20)

struct source_file {
	char *path;
	char *text;	   /* NULL when it cannot be read; lines end with NUL */
	VEC(char *) lines; /* into text */
};

struct report_source {
	VEC(struct source_file *) files;
};

static const char *root;

void report_source_root(const char *dir)
{
	root = dir;
}

struct report_source *report_source_new(void)
{
	return xcalloc(1, sizeof(struct report_source));
}

void report_source_free(struct report_source *s)
{
	for (size_t i = 0; s && i < s->files.count; i++) {
		free(s->files.items[i]->path);
		free(s->files.items[i]->text);
		vec_free(&s->files.items[i]->lines);
		free(s->files.items[i]);
	}
	if (s)
		vec_free(&s->files);
	free(s);
}

static char *trim(char *line)
{
	size_t n = strlen(line);

	while (n > 0 && strchr(" \t\r", line[n - 1]))
		line[--n] = '\0';
	/* Control characters of a source file have no business on the user's terminal. */
	for (char *c = line; *c; c++)
		if ((unsigned char)*c < ' ')
			*c = ' ';
	return line;
}

static void split_lines(struct source_file *f)
{
	char *at = f->text;

	while (at) {
		char *end = strchr(at, '\n');

		if (end)
			*end++ = '\0';
		vec_push(&f->lines, trim(at));
		at = end;
	}
}

static struct source_file *load(struct report_source *s, char *path)
{
	struct source_file *f = xcalloc(1, sizeof(*f));
	size_t bytes;

	f->path = path;
	if (fs_read_file(path, FILE_LIMIT, &f->text, &bytes, NULL) == 0)
		split_lines(f);
	else
		f->text = NULL;
	vec_push(&s->files, f);
	return f;
}

const char *report_source_line(struct report_source *s, const struct trace_site *site)
{
	const char *line = report_source_text(s, site);

	return line ? line + strspn(line, " ") : NULL;
}

/* Where the file is now; caller frees. */
static char *path_of(const struct trace_site *site)
{
	char *name = root ? trace_pack_source_name(site->dir, site->file) : NULL;
	char *path = name ? xasprintf("%s%s", root, name) : NULL;

	free(name);
	if (path && fs_is_file(path))
		return path;
	free(path);
	return site->file[0] == '/' || site->dir[0] == '\0' ? xstrdup(site->file)
							    : fs_join(site->dir, site->file);
}

const char *report_source_text(struct report_source *s, const struct trace_site *site)
{
	struct source_file *f = NULL;
	char *path;

	if (!site || site->line == 0 || site->file[0] == '\0')
		return NULL;
	path = path_of(site);
	for (size_t i = 0; i < s->files.count && !f; i++)
		if (strcmp(s->files.items[i]->path, path) == 0)
			f = s->files.items[i];
	if (f)
		free(path);
	else
		f = load(s, path);
	return site->line <= f->lines.count ? f->lines.items[site->line - 1] : NULL;
}
