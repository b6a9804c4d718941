#include "cli/pack/gather.h"

#include <stdlib.h>
#include <string.h>

#include "base/fs.h"
#include "base/mem.h"
#include "run/guest/keep.h"
#include "run/guest/libraries.h"
#include "trace/bundle/manifest.h"
#include "trace/elf/interp.h"

/* Loaded by the C library itself when a thread is cancelled or ends. */
#define UNWINDER "libgcc_s.so.1"

static bool has(const struct pack_files *f, enum trace_pack_role role, const char *name)
{
	for (size_t i = 0; i < f->count; i++)
		if (f->items[i].role == role && strcmp(f->items[i].name, name) == 0)
			return true;
	return false;
}

static void add(struct pack_files *f, enum trace_pack_role role, const char *name, const char *from)
{
	if (!has(f, role, name))
		vec_push(f, ((struct pack_file){role, xstrdup(name), xstrdup(from)}));
}

static int add_code(struct pack_files *f, enum trace_pack_role role, const char *from,
		    struct err *e)
{
	const char *slash = strrchr(from, '/'), *name = slash ? slash + 1 : from;

	if (!trace_pack_name_is_good(role, name))
		return err_set(e, ERR_UNSUPPORTED, "%s cannot be packed under that name", from);
	add(f, role, name, from);
	return 0;
}

/* As the linker finds them for the recorded program. */
static int list_libraries(const struct trace_meta *m, struct run_words *libraries, struct err *e)
{
	unsetenv("LD_LIBRARY_PATH");
	for (size_t i = 0; i < m->environ.count; i++)
		if (strncmp(m->environ.items[i], "LD_LIBRARY_PATH=", 16) == 0)
			setenv("LD_LIBRARY_PATH", m->environ.items[i] + 16, 1);
	return run_libraries(m->program, libraries, e);
}

static int add_unwinder(struct pack_files *f, const char *libc, struct err *e)
{
	char *path = xasprintf("%.*s" UNWINDER, (int)(strrchr(libc, '/') + 1 - libc), libc);
	int rc = fs_is_file(path) ? add_code(f, TRACE_PACK_LIBRARY, path, e) : 0;

	free(path);
	return rc;
}

static int add_libraries(struct pack_files *f, const struct trace_meta *m, struct err *e)
{
	struct run_words libraries = VEC_INIT;
	int rc = list_libraries(m, &libraries, e);

	for (size_t i = 0; rc == 0 && i < libraries.count; i++) {
		const char *path = libraries.items[i], *name = strrchr(path, '/') + 1;

		/* The linker is a library, too, but not one that is looked for. */
		if (strncmp(name, "ld-linux", 8) != 0)
			rc = add_code(f, TRACE_PACK_LIBRARY, path, e);
		if (rc == 0 && strcmp(name, "libc.so.6") == 0)
			rc = add_unwinder(f, path, e);
	}
	/* Those that the program opened while it ran. */
	for (size_t i = 0; rc == 0 && i < m->modules.count; i++)
		if (m->modules.items[i].file.path &&
		    m->modules.items[i].file.hash != m->executable.hash)
			rc = add_code(f, TRACE_PACK_LIBRARY, m->modules.items[i].file.path, e);
	run_words_fini(&libraries);
	return rc;
}

static void add_sources(struct pack_files *f, const struct trace_sites *sites)
{
	const char *last_file = NULL, *last_dir = NULL;

	for (size_t i = 0; i < sites->count; i++) {
		const struct trace_site *s = &sites->items[i];
		char *name, *from;

		if (!s->file[0] || (s->file == last_file && s->dir == last_dir))
			continue;
		last_file = s->file;
		last_dir = s->dir;
		name = trace_pack_source_name(s->dir, s->file);
		from = s->file[0] == '/' ? xstrdup(s->file) : fs_join(s->dir, s->file);
		if (name && fs_is_file(from))
			add(f, TRACE_PACK_SOURCE, name, from);
		else
			f->missing++;
		free(name);
		free(from);
	}
}

void pack_gather_bundle(struct pack_files *f, enum trace_pack_role role, const char *dir)
{
	for (unsigned i = 0; i <= TRACE_PART_MAX; i++) {
		const char *name =
			i < TRACE_PART_MAX ? trace_manifest_part_name(i) : TRACE_MANIFEST_NAME;
		char *path = name ? fs_join(dir, name) : NULL;

		if (path && fs_is_file(path))
			add(f, role, name, path);
		free(path);
	}
}

static int add_inputs(struct pack_files *f, const struct trace_bundle *b, struct err *e)
{
	const char *input = run_keep_input(b), *inputs = run_keep_inputs(b);

	if (input && strcmp(input, "-") == 0)
		return err_set(e, ERR_UNSUPPORTED,
			       "the program's standard input came through a pipe and was not kept");
	if (input && fs_is_file(input))
		add(f, TRACE_PACK_INPUT, "input", input);
	else if (input && strcmp(input, "/dev/null") != 0)
		return err_set(e, ERR_NOT_FOUND, "%s, the program's standard input, is gone",
			       input);
	if (inputs)
		pack_gather_bundle(f, TRACE_PACK_INPUTS, inputs);
	return 0;
}

int pack_gather(struct pack_files *f, const struct trace_bundle *b, bool sources, struct err *e)
{
	const struct trace_meta *m = &b->meta;
	char *linker = NULL;
	int rc = trace_meta_check_binaries(m, e);

	if (rc == ERR_MISMATCH)
		return err_wrap(e, "the program is not the recorded one");
	if (rc == 0)
		rc = add_code(f, TRACE_PACK_PROGRAM, m->program, e);
	if (rc == 0)
		rc = trace_elf_interp_get(m->program, &linker, e);
	if (rc == 0) {
		add(f, TRACE_PACK_LINKER, "ld", linker);
		rc = add_libraries(f, m, e);
	}
	if (rc == 0)
		rc = add_inputs(f, b, e);
	if (rc == 0 && sources)
		add_sources(f, &b->sites);
	free(linker);
	return rc;
}

void pack_files_fini(struct pack_files *f)
{
	for (size_t i = 0; i < f->count; i++) {
		free(f->items[i].name);
		free(f->items[i].from);
	}
	vec_free(f);
}
