#include "record/binary.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/debug.h"
#include "base/fs.h"
#include "base/proc.h"
#include "record/paths.h"
#include "trace/elf/elf.h"
#include "wire/site.h"

int record_binary_check(const char *path, enum record_binary_kind *kind, struct err *e)
{
	struct trace_elf *elf;
	int rc = trace_elf_open(path, &elf, e);

	if (rc)
		return rc;
	if (trace_elf_has_section(elf, HEDDLE_PATHS_SECTION))
		*kind = RECORD_BINARY_PATHS;
	else if (trace_elf_has_section(elf, HEDDLE_MARKS_SECTION))
		*kind = RECORD_BINARY_RECORD;
	else if (trace_elf_has_section(elf, HEDDLE_BITCODE_SECTION))
		*kind = RECORD_BINARY_CHECK;
	else
		rc = err_set(e, ERR_MISMATCH,
			     "%s was not built with heddle cc: build it with "
			     "CC=\"heddle cc --flavor=record\"",
			     path);
	trace_elf_close(elf);
	return rc;
}

/* ---- marks ---- */

static int add_marks(struct trace_recording *r, const struct trace_elf *elf, struct err *e)
{
	struct trace_elf_section s;
	int rc = trace_elf_read(elf, HEDDLE_MARKS_SECTION, &s, e);

	if (rc)
		return rc == ERR_NOT_FOUND ? 0 : rc;
	for (size_t at = 0; s.bytes - at >= sizeof(struct record_marks);) {
		struct trace_marks m;
		uint64_t words;

		memcpy(&m.head, s.contents + at, sizeof(m.head));
		words = m.head.points / 64 + (m.head.points % 64 != 0);
		if (m.head.magic != RECORD_MARKS_MAGIC || m.head.words != words ||
		    words * 8 > s.bytes - at - sizeof(m.head)) {
			rc = err_set(e, ERR_FORMAT, "its table of marks is damaged");
			break;
		}
		m.words = xcalloc(words + 1, sizeof(*m.words));
		memcpy(m.words, s.contents + at + sizeof(m.head), words * 8);
		if (m.head.flags & RECORD_MARKS_ALL)
			r->flags |= RECORD_MARK_ALL;
		vec_push(&r->marks, m);
		at += sizeof(m.head) + words * 8;
	}
	free(s.contents);
	return rc;
}

/* ---- functions ---- */

static int add_functions(struct trace_recording *r, const struct trace_elf *elf, uint32_t expected,
			 struct err *e)
{
	struct trace_elf_section rows = {.contents = NULL}, texts = {.contents = NULL};
	int rc = expected ? trace_elf_read(elf, HEDDLE_FUNCS_SECTION, &rows, e) : 0;

	if (!rc && expected)
		rc = trace_elf_read(elf, HEDDLE_STRS_SECTION, &texts, e);
	if (!rc && rows.bytes / sizeof(struct heddle_function) != expected)
		rc = err_set(e, ERR_MISMATCH, "it has another number of functions than the run had");
	for (uint32_t i = 0; i < expected && !rc; i++) {
		size_t at = i * sizeof(struct heddle_function);
		struct heddle_function f;
		struct trace_function row;
		uint64_t text;

		memcpy(&f, rows.contents + at, sizeof(f));
		text = rows.addr + at + (uint64_t)(int64_t)f.name - texts.addr;
		row.unit = f.flags;
		row.name = xstrdup(text < texts.bytes ? texts.contents + text : "");
		vec_push(&r->functions, row);
	}
	free(rows.contents);
	free(texts.contents);
	return rc;
}

/* ---- modules ---- */

static int add_module(struct trace_recording *r, const struct record_module *from, const char *path,
		      struct record_path_tables *paths, struct err *e)
{
	struct trace_module m = {.load_bias = from->bias};
	struct trace_elf *elf;
	int rc = trace_file_id_get(&m.file, path, e);

	if (rc)
		return rc;
	vec_push(&r->meta.modules, m);
	rc = trace_elf_open(path, &elf, e);
	if (rc)
		return rc;
	rc = add_marks(r, elf, e);
	if (!rc)
		rc = record_paths_read(paths, elf, e);
	if (!rc)
		rc = add_functions(r, elf, from->functions, e);
	trace_elf_close(elf);
	return rc ? err_wrap(e, "%s", path), rc : 0;
}

static int by_value(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

static void add_symbols(struct trace_recording *r)
{
	VEC(uint64_t) all = VEC_INIT;

	for (uint32_t i = 0; i < r->failure.depth; i++)
		vec_push(&all, r->failure.stack[i]);
	for (size_t i = 0; i < r->tasks.count; i++) {
		vec_push(&all, r->tasks.items[i].row.entry);
		vec_push(&all, r->tasks.items[i].row.waits_on);
	}
	qsort(all.items, all.count, sizeof(*all.items), by_value);
	for (size_t i = 0; i < r->meta.modules.count; i++) {
		const struct trace_module *m = &r->meta.modules.items[i];
		struct err ignored = ERR_INIT;

		trace_symbols_add(&r->symbols, m->file.path, m->load_bias, all.items, all.count,
				  &ignored);
	}
	vec_free(&all);
	for (size_t i = 0; i < r->tasks.count; i++) {
		struct trace_task *t = &r->tasks.items[i];
		const struct trace_symbol *s = trace_symbols_find(&r->symbols, t->row.entry);

		if (s || i == 0) {
			free(t->entry);
			t->entry = xstrdup(s ? s->name : "main");
		}
	}
}

/* ---- the place ---- */

/* "file:line:column", which is cut up. */
static void parse_line(struct trace_place *p, char *text)
{
	char *colon = strrchr(text, ':');

	if (colon && colon != text) {
		p->column = (uint32_t)strtoul(colon + 1, NULL, 10);
		*colon = 0;
		colon = strrchr(text, ':');
	}
	if (colon && colon != text) {
		p->line = (uint32_t)strtoul(colon + 1, NULL, 10);
		*colon = 0;
	}
}

/*
 * Pairs of lines, a function and a place in it, innermost first when functions were inlined; what
 * is inlined from a system header belongs to who asked for it, as it does for sites.
 */
static void parse_place(struct trace_place *p, char *text)
{
	char *save = NULL, *function = strtok_r(text, "\n", &save), *place = NULL, *next;

	for (next = function; next; next = strtok_r(NULL, "\n", &save)) {
		char *at = strtok_r(NULL, "\n", &save);

		if (!at)
			break;
		function = next;
		place = at;
		if (!debug_is_system_file(place, strlen(place)))
			break;
	}
	if (!place)
		return;
	parse_line(p, place);
	p->function = xstrdup(strcmp(function, "??") != 0 ? function : "");
	p->file = xstrdup(strcmp(place, "??") != 0 ? place : "");
}

/* The innermost frame in an instrumented module: where the program, not a library, failed. */
static const struct trace_module *own_frame(const struct trace_recording *r,
					    const struct record_ctl *ctl, uint64_t *pc)
{
	for (uint32_t i = 0; i < r->failure.depth; i++)
		for (size_t k = 0; k < r->meta.modules.count; k++)
			if (r->failure.stack[i] >= ctl->modules[k].low &&
			    r->failure.stack[i] < ctl->modules[k].high) {
				/* A return address is behind the call. */
				*pc = r->failure.stack[i] - ctl->modules[k].bias - (i > 0);
				return &r->meta.modules.items[k];
			}
	return NULL;
}

static void find_place(struct trace_recording *r, const struct record_ctl *ctl)
{
	uint64_t pc = 0;
	const struct trace_module *m = own_frame(r, ctl, &pc);
	char *tool = fs_find_program("llvm-symbolizer-19");

	if (m && tool) {
		char *object = xasprintf("--obj=%s", m->file.path);
		char *address = xasprintf("0x%" PRIx64, pc);
		char *argv[] = {tool, object, "--functions=linkage", "--no-demangle", address, NULL};
		struct proc_result out = {.out = NULL};
		struct err ignored = ERR_INIT;

		if (!proc_run(argv, PROC_CAPTURE, &out, &ignored) && out.out)
			parse_place(&r->place, out.out);
		free(out.out);
		free(object);
		free(address);
	}
	free(tool);
	if (!r->place.function)
		r->place.function = xstrdup("");
	if (!r->place.file)
		r->place.file = xstrdup("");
}

int record_binary_describe(struct trace_recording *r, const struct record_ctl *ctl,
			   const char *path, struct err *e)
{
	uint32_t n = ctl->module_count < RECORD_MAX_MODULES ? ctl->module_count : RECORD_MAX_MODULES;
	struct record_path_tables paths = {NULL, 0, 0};
	int rc = trace_file_id_get(&r->meta.executable, path, e);

	for (uint32_t i = 0; i < n && !rc; i++) {
		char name[RECORD_PATH_NAME_BYTES + 1] = "";

		memcpy(name, ctl->modules[i].path, RECORD_PATH_NAME_BYTES);
		/* The program itself has no name there. */
		rc = add_module(r, &ctl->modules[i], name[0] ? name : path, &paths, e);
	}
	if (!rc && r->backend == RECORD_PATHS)
		record_paths_translate(&paths, r);
	record_paths_free(&paths);
	if (rc)
		return rc;
	add_symbols(r);
	find_place(r, ctl);
	return 0;
}
