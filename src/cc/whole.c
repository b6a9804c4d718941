#include "cc/whole.h"

#include <stdlib.h>
#include <string.h>

#include "base/fs.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/proc.h"
#include "instr/instr.h"
#include "instr/record.h"
#include "ir/bitcode.h"

struct whole {
	const struct cc_whole *o;
	struct ir_bitcode_file program; /* the units as they are in the trial */
	char **objects;			/* by unit */
	bool *used;
	char *marks; /* what heddle-deps said */
	size_t marks_bytes, marks_at;
	struct cc_whole_files *scratch;
};

static int run(char *const argv[], unsigned flags, struct proc_result *r, struct err *e)
{
	int rc;

	for (size_t i = 0; argv[i]; i++)
		log_debug(LOG_CC, "%s%s", i ? "    " : "run ", argv[i]);
	rc = proc_run(argv, flags, r, e);
	if (!rc && proc_exit_code(r->status))
		rc = err_set(e, ERR_TOOL, "%s failed", argv[0]);
	return rc;
}

static int find_marks(struct whole *w, struct err *e)
{
	char *dir = fs_self_dir(), *tool = fs_join(dir, "heddle-deps");
	char *argv[] = {tool, "--marks", (char *)w->o->trial, NULL};
	struct proc_result r = {.out = NULL};
	int rc = run(argv, PROC_CAPTURE, &r, e);

	w->marks = r.out;
	w->marks_bytes = r.out_bytes;
	free(tool);
	free(dir);
	return rc;
}

/* The marks of the next unit; they come in the order of the units. */
static int next_choice(struct whole *w, struct record_choice *c, struct err *e)
{
	size_t left = w->marks_bytes - w->marks_at;

	if (left < sizeof(c->head))
		return err_set(e, ERR_FORMAT, "heddle-deps left out a unit");
	memcpy(&c->head, w->marks + w->marks_at, sizeof(c->head));
	left -= sizeof(c->head);
	if (c->head.magic != RECORD_MARKS_MAGIC || c->head.words > left / 8)
		return err_set(e, ERR_FORMAT, "heddle-deps gave damaged marks");
	for (uint32_t i = 0; i < c->head.words; i++) {
		uint64_t word;

		memcpy(&word, w->marks + w->marks_at + sizeof(c->head) + i * 8, 8);
		vec_push(&c->words, word);
	}
	w->marks_at += sizeof(c->head) + (size_t)c->head.words * 8;
	return 0;
}

static char *file(struct whole *w, size_t unit, const char *suffix)
{
	char *path = xasprintf("%s/whole-%zu%s", w->o->dir, unit, suffix);

	vec_push(w->scratch, xstrdup(path));
	return path;
}

static int generate(struct whole *w, const struct ir_bitcode_unit *u, const char *from,
		    const char *to, struct err *e)
{
	VEC(char *) argv = VEC_INIT;
	struct proc_result r = {.out = NULL};
	int rc;

	vec_push(&argv, (char *)w->o->compiler);
	for (size_t at = 0; at < u->args_bytes; at += strlen(u->args + at) + 1)
		vec_push(&argv, (char *)u->args + at);
	for (size_t i = 0; i < 7; i++)
		vec_push(&argv, ((char *[]){"-Qunused-arguments", "-w", "-c", "-x", "ir", "-o",
					    (char *)to})[i]);
	vec_push(&argv, (char *)from);
	vec_push(&argv, NULL);
	rc = run(argv.items, 0, &r, e);
	vec_free(&argv);
	return rc;
}

static int make_unit(struct whole *w, size_t i, struct err *e)
{
	const struct ir_bitcode_unit *u = &w->program.units[i];
	struct record_choice choice = {.words = VEC_INIT};
	VEC(const char *) args = VEC_INIT;
	struct instr_options o = {.flavor = instr_flavor_find(w->o->flavor),
				  .source = u->name,
				  .keep_debug = true,
				  .choice = &choice};
	char *plain = file(w, i, ".bc"), *marked = file(w, i, ".heddle.bc");
	int rc = next_choice(w, &choice, e);

	for (size_t at = 0; at < u->args_bytes; at += strlen(u->args + at) + 1)
		vec_push(&args, u->args + at);
	vec_push(&args, NULL);
	o.args = args.items;
	w->objects[i] = file(w, i, ".o");
	if (!rc)
		rc = fs_write_file(plain, u->bytes, u->count, e);
	if (!rc)
		rc = instr_file(plain, marked, &o, e);
	if (!rc)
		rc = generate(w, u, marked, w->objects[i], e);
	vec_free(&choice.words);
	vec_free(&args);
	free(plain);
	free(marked);
	return rc;
}

/* The unit of the program that this one of an object file is; unit_count when none is left. */
static size_t find_unit(const struct whole *w, const struct ir_bitcode_unit *u)
{
	for (size_t i = 0; i < w->program.unit_count; i++)
		if (!w->used[i] && w->program.units[i].count == u->count &&
		    !strcmp(w->program.units[i].name, u->name) &&
		    !memcmp(w->program.units[i].bytes, u->bytes, u->count))
			return i;
	return w->program.unit_count;
}

struct words {
	VEC_FIELDS(char *);
};

/* Object files, that is: archives keep their members, libraries their code. */
static bool has_units(const char *path)
{
	struct ir_bitcode_file f = {NULL, 0, NULL, 0};
	struct err ignored = ERR_INIT;
	size_t n = strlen(path);

	if (path[0] == '-' || !fs_is_file(path) || strstr(path, ".so") ||
	    (n > 2 && !strcmp(path + n - 2, ".a")) || ir_bitcode_read(&f, path, &ignored))
		return false;
	ir_bitcode_fini(&f);
	return true;
}

/* An object file of ours gives way to what was made of its units; false: it is something else. */
static bool replace(struct whole *w, const char *path, struct words *to)
{
	struct ir_bitcode_file f = {NULL, 0, NULL, 0};
	struct err ignored = ERR_INIT;
	bool all = true;

	if (!has_units(path) || ir_bitcode_read(&f, path, &ignored))
		return false;
	for (size_t i = 0; i < f.unit_count && all; i++)
		all = find_unit(w, &f.units[i]) < w->program.unit_count;
	for (size_t i = 0; i < f.unit_count && all; i++) {
		size_t unit = find_unit(w, &f.units[i]);

		w->used[unit] = true;
		vec_push(to, w->objects[unit]);
	}
	all &= f.unit_count > 0;
	ir_bitcode_fini(&f);
	return all;
}

/* Units out of archives come last of the objects: their members are then no longer asked for. */
static void add_rest(struct whole *w, struct words *to)
{
	for (size_t i = 0; i < w->program.unit_count; i++)
		if (!w->used[i])
			vec_push(to, w->objects[i]);
}

static int link_again(struct whole *w, struct err *e)
{
	struct words argv = {NULL, 0, 0};
	struct proc_result r = {.out = NULL};
	size_t last = 0, n = 0;
	int rc;

	for (; w->o->link[n]; n++)
		if (n && has_units(w->o->link[n]))
			last = n;
	for (size_t i = 0; i < n; i++) {
		bool is_output = i && !strcmp(w->o->link[i - 1], "-o");

		if (is_output)
			vec_push(&argv, (char *)w->o->output);
		else if (!i || !replace(w, w->o->link[i], &argv))
			vec_push(&argv, w->o->link[i]);
		if (i == last)
			add_rest(w, &argv);
	}
	vec_push(&argv, NULL);
	rc = run(argv.items, PROC_QUIET, &r, e);
	vec_free(&argv);
	return rc;
}

int cc_whole(const struct cc_whole *o, struct cc_whole_files *scratch, struct err *e)
{
	struct whole w = {.o = o, .scratch = scratch};
	int rc = ir_bitcode_read(&w.program, o->trial, e);

	if (rc)
		return rc;
	w.objects = xcalloc(w.program.unit_count + 1, sizeof(*w.objects));
	w.used = xcalloc(w.program.unit_count + 1, sizeof(*w.used));
	rc = find_marks(&w, e);
	for (size_t i = 0; i < w.program.unit_count && !rc; i++)
		rc = make_unit(&w, i, e);
	if (!rc)
		rc = link_again(&w, e);
	for (size_t i = 0; i < w.program.unit_count; i++)
		free(w.objects[i]);
	free(w.objects);
	free(w.used);
	free(w.marks);
	ir_bitcode_fini(&w.program);
	return rc;
}
