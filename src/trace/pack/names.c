#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/vec.h"
#include "trace/bundle/manifest.h"
#include "trace/pack/pack.h"

#define LONGEST_NAME 200
#define LONGEST_PATH 3000

enum pack_name { PACK_NAME_PART, PACK_NAME_PLAIN, PACK_NAME_PATH };

void trace_pack_member_fini(struct trace_pack_member *m)
{
	free(m->name);
	m->name = NULL;
}

/* One component of a path: something, nothing special, nothing that a terminal obeys. */
static bool is_component(const char *text, size_t n)
{
	if (n == 0 || n > LONGEST_NAME || (n == 1 && text[0] == '.') ||
	    (n == 2 && text[0] == '.' && text[1] == '.'))
		return false;
	for (size_t i = 0; i < n; i++)
		if ((unsigned char)text[i] < ' ' || text[i] == 0x7f || text[i] == '/')
			return false;
	return true;
}

/* A hidden file or an option is nobody's program or library. */
static bool is_plain(const char *name)
{
	return is_component(name, strlen(name)) && name[0] != '.' && name[0] != '-' &&
	       !strchr(name, ':') && !strchr(name, ';') && !strchr(name, '$');
}

static bool is_path(const char *name)
{
	if (name[0] != '/' || strlen(name) > LONGEST_PATH)
		return false;
	while (*name == '/') {
		size_t n = strcspn(++name, "/");

		if (!is_component(name, n))
			return false;
		name += n;
	}
	return true;
}

static bool is_part(const char *name)
{
	if (strcmp(name, TRACE_MANIFEST_NAME) == 0)
		return true;
	for (unsigned i = 0; i < TRACE_PART_MAX; i++) {
		const char *part = trace_manifest_part_name(i);

		if (part && strcmp(part, name) == 0)
			return true;
	}
	return false;
}

bool trace_pack_name_is_good(enum trace_pack_role role, const char *name)
{
	switch (role) {
#define X(word, number, kind)                                                                      \
	case TRACE_PACK_##word:                                                                    \
		return kind == PACK_NAME_PART	 ? is_part(name)                                   \
		       : kind == PACK_NAME_PLAIN ? is_plain(name)                                  \
						 : is_path(name);
		TRACE_PACK_ROLES
#undef X
	}
	return false;
}

char *trace_pack_source_name(const char *dir, const char *file)
{
	char *path = file[0] == '/' ? xstrdup(file) : xasprintf("%s/%s", dir, file);
	struct strbuf to = STRBUF_INIT;
	const char *at = path;
	char *name;

	while (*at) {
		size_t n = strcspn(at, "/");

		if (n == 2 && at[0] == '.' && at[1] == '.') {
			while (to.length && to.text[to.length - 1] != '/')
				to.text[--to.length] = '\0';
			if (to.length)
				to.text[--to.length] = '\0';
		} else if (n && !(n == 1 && at[0] == '.')) {
			strbuf_add_char(&to, '/');
			strbuf_add_bytes(&to, at, n);
		}
		at += n + (at[n] == '/');
	}
	name = strbuf_take(&to);
	/* What has no directory is a file of nowhere. */
	if (path[0] != '/' || !trace_pack_name_is_good(TRACE_PACK_SOURCE, name)) {
		free(name);
		name = NULL;
	}
	free(path);
	return name;
}
