#include "coop/elements.h"

#include <stdbool.h>
#include <string.h>

#include "base/fs.h"
#include "base/proc.h"
#include "trace/elf/elf_sites.h"

#define MAX_NAME 4096u
#define MAX_OVERRIDE ((size_t)16 << 20)

void coop_elements_fini(struct coop_elements *x)
{
	for (size_t i = 0; i < x->names.count; i++)
		free(x->names.items[i]);
	vec_free(&x->names);
	vec_free(&x->flags);
	vec_free(&x->sites);
}

struct input {
	const char *at, *end;
};

/* False: there are not so many bytes left. */
static bool get(struct input *in, void *to, size_t n)
{
	if ((size_t)(in->end - in->at) < n)
		return false;
	memcpy(to, in->at, n);
	in->at += n;
	return true;
}

static int damaged(struct err *e)
{
	return err_set(e, ERR_FORMAT, "heddle-deps gave a damaged table of elements");
}

static int get_element(struct coop_elements *x, struct input *in, struct err *e)
{
	uint32_t flags, bytes;

	if (!get(in, &flags, sizeof(flags)) || !get(in, &bytes, sizeof(bytes)) || bytes == 0 ||
	    bytes > MAX_NAME || (size_t)(in->end - in->at) < bytes || memchr(in->at, '\n', bytes) ||
	    memchr(in->at, 0, bytes))
		return damaged(e);
	vec_push(&x->names, xstrndup(in->at, bytes));
	vec_push(&x->flags, flags);
	in->at += bytes;
	if (x->names.count > 1 &&
	    strcmp(x->names.items[x->names.count - 2], vec_last(&x->names)) >= 0)
		return damaged(e);
	return 0;
}

static bool is_element(const struct coop_elements *x, uint32_t number)
{
	return number == COOP_NO_ELEMENT || number < x->names.count;
}

int coop_elements_parse(struct coop_elements *x, const void *bytes, size_t n, struct err *e)
{
	struct input in = {bytes, (const char *)bytes + n};
	struct coop_table head;
	struct coop_site site;
	int rc = 0;

	if (!get(&in, &head, sizeof(head)) || head.magic != COOP_TABLE_MAGIC ||
	    head.flavour > COOP_BLOCKS)
		return damaged(e);
	x->flavour = (enum coop_flavour)head.flavour;
	memcpy(x->build, head.build, sizeof(x->build));
	for (uint32_t i = 0; i < head.elements && !rc; i++)
		rc = get_element(x, &in, e);
	for (uint32_t i = 0; i < head.sites && !rc; i++) {
		if (!get(&in, &site, sizeof(site)) || !is_element(x, site.element) ||
		    !is_element(x, site.mutex) || !is_element(x, site.inside))
			rc = damaged(e);
		vec_push(&x->sites, site);
	}
	if (!rc && in.at != in.end)
		rc = damaged(e);
	if (rc) {
		coop_elements_fini(x);
		memset(x, 0, sizeof(*x));
	}
	return rc;
}

/* All become one. */
static void join(struct coop_elements *x)
{
	for (size_t i = 0; i < x->names.count; i++)
		free(x->names.items[i]);
	if (x->names.count) {
		x->names.items[0] = xstrdup(COOP_ALL_BLOCKS);
		x->names.count = x->flags.count = 1;
	}
	for (size_t i = 0; i < x->sites.count; i++) {
		struct coop_site *s = &x->sites.items[i];

		s->element = s->element == COOP_NO_ELEMENT ? COOP_NO_ELEMENT : 0;
		s->inside = s->inside == COOP_NO_ELEMENT ? COOP_NO_ELEMENT : 0;
	}
	x->flavour = COOP_GLOBAL;
	x->build[COOP_BUILD_FLAVOUR] = COOP_GLOBAL;
}

bool coop_build_same_program(const uint8_t *a, const uint8_t *b)
{
	return !memcmp(a, b, COOP_BUILD_FLAVOUR);
}

int coop_elements_find(struct coop_elements *x, const char *program, enum coop_flavour flavour,
		       struct err *e)
{
	char *dir = fs_self_dir(), *tool = fs_join(dir, "heddle-deps");
	const char *what = flavour == COOP_ORDER ? "--elements" : "--blocks";
	char *argv[] = {tool, (char *)what, (char *)program, NULL};
	struct proc_result out = {.out = NULL};
	int rc = proc_run(argv, PROC_CAPTURE, &out, e);

	if (!rc && proc_exit_code(out.status))
		rc = err_set(e, ERR_TOOL,
			     "heddle-deps cannot read %s (was it built with heddle cc?)", program);
	if (!rc)
		rc = coop_elements_parse(x, out.out, out.out_bytes, e);
	if (!rc && flavour == COOP_GLOBAL)
		join(x);
	free(out.out);
	free(tool);
	free(dir);
	return rc;
}

static int find(const struct coop_elements *x, const char *name, size_t *at, struct err *e)
{
	for (*at = 0; *at < x->names.count; ++*at)
		if (!strcmp(x->names.items[*at], name))
			return 0;
	return err_set(e, ERR_NOT_FOUND, "there is no shared element called '%s'", name);
}

static int override_line(const struct coop_elements *x, const char *line, bool *only, bool *wanted,
			 struct err *e)
{
	size_t at;
	int rc;

	if (*line == '#' || *line == '\0')
		return 0;
	if (*line != '+' && *line != '-')
		return err_set(e, ERR_FORMAT, "'%s': a line is +NAME or -NAME", line);
	rc = find(x, line + 1, &at, e);
	if (rc)
		return rc;
	/* The first that is asked for by name: the others are not. */
	if (*line == '+' && !*only)
		memset(wanted, 0, x->names.count * sizeof(*wanted));
	*only |= *line == '+';
	wanted[at] = *line == '+';
	return 0;
}

int coop_elements_override(const struct coop_elements *x, const char *path, bool *wanted,
			   struct err *e)
{
	char *text = NULL, *save = NULL;
	bool only = false;
	size_t n;
	int rc = fs_read_file(path, MAX_OVERRIDE, &text, &n, e);

	for (char *line = rc ? NULL : strtok_r(text, "\n", &save); line && !rc;
	     line = strtok_r(NULL, "\n", &save))
		rc = override_line(x, line, &only, wanted, e);
	free(text);
	return rc ? err_wrap(e, "%s", path) : 0;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

void coop_elements_at(const struct coop_elements *x, const char *program,
		      const struct coop_line *at, bool *near)
{
	struct trace_sites t = {NULL, 0, 0, VEC_INIT};
	struct err ignored = ERR_INIT;

	if (at->line && at->file && !trace_elf_sites_add(&t, program, 0, &ignored)) {
		for (size_t i = 0; i < t.count && i < x->sites.count; i++) {
			const struct trace_site *s = &t.items[i];
			const struct coop_site *own;

			if (s->id >= x->sites.count || s->line != at->line ||
			    strcmp(base_name(s->file), base_name(at->file)) != 0)
				continue;
			own = &x->sites.items[s->id];
			if (own->element != COOP_NO_ELEMENT)
				near[own->element] = true;
			if (own->inside != COOP_NO_ELEMENT)
				near[own->inside] = true;
		}
	}
	trace_sites_fini(&t);
}
