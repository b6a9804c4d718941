#include "cc/plan.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/strbuf.h"
#include "cc/derive.h"
#include "cc/plan_priv.h"
#include "instr/flavor.h"

#define MAX_ELEMENTS ((size_t)64 << 20) /* bytes of their names */

struct cc_step *cc_plan_new_step(struct planner *n, enum cc_step_kind kind)
{
	struct cc_step fresh = {.kind = kind};

	vec_push(&n->p->steps, fresh);
	return &vec_last(&n->p->steps);
}

void cc_plan_arg(struct cc_step *step, const char *text)
{
	vec_push(&step->args, xstrdup(text));
}

void cc_plan_end_args(struct cc_step *step)
{
	vec_push(&step->args, NULL);
}

void cc_plan_arg_pair(struct cc_step *step, const struct cc_arg *a)
{
	cc_plan_arg(step, a->text);
	if (a->value)
		cc_plan_arg(step, a->value);
}

static void args_of_class(struct planner *n, struct cc_step *step, enum cc_class class)
{
	for (size_t i = 0; i < n->s->args.count; i++)
		if (n->s->args.items[i].class == class)
			cc_plan_arg_pair(step, &n->s->args.items[i]);
}

/* Order between classes matters to the compiler (-W against -f, -D against -U): keep it. */
static void args_front(struct planner *n, struct cc_step *step)
{
	for (size_t i = 0; i < n->s->args.count; i++) {
		enum cc_class class = n->s->args.items[i].class;

		if (class == CC_FRONT || class == CC_ALL)
			cc_plan_arg_pair(step, &n->s->args.items[i]);
	}
}

int cc_plan_make_dir(struct planner *n, struct err *e)
{
	return n->p->dir ? 0 : fs_make_temporary_dir("heddle-cc", &n->p->dir, e);
}

static char *stem_of(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *base = slash ? slash + 1 : path;
	const char *dot = strrchr(base, '.');

	return dot && dot != base ? xstrndup(base, (size_t)(dot - base)) : xstrdup(base);
}

/* A name in the temporary directory that still tells which source it belongs to. */
char *cc_plan_scratch(struct planner *n, const char *source, const char *suffix)
{
	char *stem = strcmp(source, "-") ? stem_of(source) : xstrdup("stdin");
	char *path = xasprintf("%s/%s-%u%s", n->p->dir, stem, n->count, suffix);

	free(stem);
	vec_push(&n->p->scratch, xstrdup(path));
	return path;
}

/* Last in the search order: the system's directory must not move to the front. */
static void args_include(struct planner *n, struct cc_step *step)
{
	cc_plan_arg(step, "-idirafter");
	cc_plan_arg(step, n->parts->incdir);
}

/* The compiler derives names of dependency output from -o, which here names an intermediate. */
static void args_deps(struct planner *n, struct cc_step *step, const char *source)
{
	const struct cc_scan *s = n->s;
	char *stem = stem_of(source), *target, *file;

	if (!s->deps) {
		free(stem);
		return;
	}
	args_of_class(n, step, CC_DEPS);
	if (!s->deps_target) {
		target = s->output ? xstrdup(s->output) : xasprintf("%s.o", stem);
		cc_plan_arg(step, "-MQ");
		cc_plan_arg(step, target);
		free(target);
	}
	if (!s->deps_file) {
		const char *base = s->output ? strrchr(s->output, '/') : NULL;
		const char *dot;

		base = base ? base + 1 : s->output;
		dot = base ? strrchr(base, '.') : NULL;
		if (!s->output)
			file = xasprintf("%s.d", stem);
		else if (dot && dot != base)
			file = xasprintf("%.*s.d", (int)(dot - s->output), s->output);
		else
			file = xasprintf("%s.d", s->output);
		cc_plan_arg(step, "-MF");
		cc_plan_arg(step, file);
		free(file);
	}
	free(stem);
}

/* Before the library's own: ours stand in for some of its headers and include the originals. */
static void args_library_headers(struct planner *n, struct cc_step *step)
{
	char *dir = xasprintf("%s/c++", n->parts->libdir);

	cc_plan_arg(step, "-isystem");
	cc_plan_arg(step, dir);
	free(dir);
}

static void plan_bitcode(struct planner *n, const struct cc_arg *source, const char *to)
{
	struct cc_step *step = cc_plan_new_step(n, STEP_RUN);

	cc_plan_arg(step, n->parts->compiler);
	args_library_headers(n, step);
	args_front(n, step);
	args_include(n, step);
	args_deps(n, step, source->text);
	/* Code generation options the link would use are unused here; the compiler need not say so.
	 */
	if (n->s->mode == CC_LINK)
		cc_plan_arg(step, "-Qunused-arguments");
	if (!n->s->optimize) {
		cc_plan_arg(step, "-Xclang");
		cc_plan_arg(step, "-disable-O0-optnone");
	}
	cc_plan_arg(step, "-Xclang");
	cc_plan_arg(step, "-disable-llvm-passes");
	cc_plan_arg(step, "-fno-discard-value-names");
	cc_plan_arg(step, "-g");
	cc_plan_arg(step, "-emit-llvm");
	cc_plan_arg(step, "-c");
	if (source->language) {
		cc_plan_arg(step, "-x");
		cc_plan_arg(step, source->language);
	}
	cc_plan_arg(step, "-o");
	cc_plan_arg(step, to);
	cc_plan_arg(step, source->text);
	cc_plan_end_args(step);
}

static void plan_instrument(struct planner *n, const struct cc_arg *source, const char *from,
			    const char *to)
{
	struct cc_step *step = cc_plan_new_step(n, STEP_INSTRUMENT);

	step->from = xstrdup(from);
	step->to = xstrdup(to);
	step->source = source->text;
	args_of_class(n, step, CC_ALL);
	cc_plan_end_args(step);
}

static void plan_code(struct planner *n, const char *from, const char *to)
{
	struct cc_step *step = cc_plan_new_step(n, STEP_RUN);

	cc_plan_arg(step, n->parts->compiler);
	args_of_class(n, step, CC_ALL);
	cc_plan_arg(step, "-Qunused-arguments");
	/* A recorded failure is an address: lines are kept for it, outside of what is loaded. */
	if (!n->p->keep_debug && !instr_flavor_find(n->p->flavor)->record &&
	    !instr_flavor_find(n->p->flavor)->ordered)
		cc_plan_arg(step, "-g0");
	cc_plan_arg(step, n->s->mode == CC_ASSEMBLE ? "-S" : "-c");
	cc_plan_arg(step, "-x");
	cc_plan_arg(step, "ir");
	cc_plan_arg(step, "-o");
	cc_plan_arg(step, to);
	cc_plan_arg(step, from);
	cc_plan_end_args(step);
}

/* Source to object (or assembly) at the path `to'. */
int cc_plan_source(struct planner *n, const struct cc_arg *source, const char *to, struct err *e)
{
	char *plain, *marked;
	int rc = cc_plan_make_dir(n, e);

	if (rc)
		return rc;
	n->count++;
	plain = cc_plan_scratch(n, source->text, ".bc");
	marked = cc_plan_scratch(n, source->text, ".heddle.bc");
	plan_bitcode(n, source, plain);
	plan_instrument(n, source, plain, marked);
	plan_code(n, marked, to);
	free(plain);
	free(marked);
	return 0;
}

static char *default_output(struct planner *n, const char *source)
{
	char *stem = stem_of(source);
	char *path = xasprintf("%s%s", stem, n->s->mode == CC_ASSEMBLE ? ".s" : ".o");

	free(stem);
	return path;
}

/* Devices and pipes are written in place; files appear whole or not at all. */
static bool write_in_place(const char *path)
{
	struct stat st;

	return !strcmp(path, "-") || (!stat(path, &st) && !S_ISREG(st.st_mode));
}

static int plan_object(struct planner *n, const struct cc_arg *source, struct err *e)
{
	char *out = n->s->output ? xstrdup(n->s->output) : default_output(n, source->text);
	char *part = NULL;
	struct cc_step *step;
	int rc;

	if (write_in_place(out)) {
		rc = cc_plan_source(n, source, out, e);
	} else {
		part = xasprintf("%s.heddle-%ld.part", out, (long)getpid());
		vec_push(&n->p->scratch, xstrdup(part));
		rc = cc_plan_source(n, source, part, e);
		step = cc_plan_new_step(n, STEP_RENAME);
		step->from = part;
		step->to = xstrdup(out);
	}
	free(out);
	return rc;
}

/* An input that is not ours (assembly, say), under -c or -S. */
static void plan_foreign(struct planner *n, const struct cc_arg *input)
{
	struct cc_step *step = cc_plan_new_step(n, STEP_RUN);

	cc_plan_arg(step, n->parts->compiler);
	args_front(n, step);
	args_of_class(n, step, CC_DEPS);
	cc_plan_arg(step, n->s->mode == CC_ASSEMBLE ? "-S" : "-c");
	if (n->s->output) {
		cc_plan_arg(step, "-o");
		cc_plan_arg(step, n->s->output);
	}
	if (input->language) {
		cc_plan_arg(step, "-x");
		cc_plan_arg(step, input->language);
	}
	cc_plan_arg(step, input->text);
	cc_plan_end_args(step);
}

static int plan_compile(struct planner *n, struct err *e)
{
	int rc = 0;

	for (size_t i = 0; i < n->s->args.count && !rc; i++) {
		const struct cc_arg *a = &n->s->args.items[i];

		if (a->class == CC_SOURCE)
			rc = plan_object(n, a, e);
		else if (a->class == CC_INPUT)
			plan_foreign(n, a);
	}
	return rc;
}

static void plan_pass(struct planner *n)
{
	struct cc_step *step = cc_plan_new_step(n, STEP_RUN);

	cc_plan_arg(step, n->parts->compiler);
	if (n->s->inputs)
		args_library_headers(n, step);
	for (size_t i = 0; i < n->s->words.count; i++)
		if (strncmp(n->s->words.items[i], "--flavor=", 9) &&
		    strcmp(n->s->words.items[i], "--mark=all") &&
		    strncmp(n->s->words.items[i], "--elements=", 11))
			cc_plan_arg(step, n->s->words.items[i]);
	if (n->s->inputs)
		args_include(n, step);
	cc_plan_end_args(step);
	n->p->only_pass = true;
}

static void plan_extract(struct planner *n)
{
	struct cc_step *step = cc_plan_new_step(n, STEP_EXTRACT);

	step->from = xstrdup(n->s->extract);
	step->to = xstrdup(n->s->output);
}

static int read_elements(struct cc_plan *p, const struct cc_scan *s, struct err *e)
{
	size_t bytes;

	return s->elements ? fs_read_file(s->elements, MAX_ELEMENTS, &p->wanted, &bytes, e) : 0;
}

int cc_plan(struct cc_plan *p, const struct cc_scan *s, const struct cc_parts *parts, struct err *e)
{
	struct planner n = {p, s, parts, 0};
	int rc;

	memset(p, 0, sizeof(*p));
	p->keep_debug = s->debug;
	p->flavor = s->flavor;
	p->mark_all = s->mark_all;
	switch (s->mode) {
	case CC_PASS:
		plan_pass(&n);
		return 0;
	case CC_EXTRACT:
		plan_extract(&n);
		return 0;
	case CC_DERIVE:
		rc = cc_derive(p, parts, &(struct cc_derive){s->extract, s->output, s->flavor}, e);
		return rc ? rc : read_elements(p, s, e);
	case CC_LINK:
		rc = cc_plan_link(&n, e);
		return rc ? rc : read_elements(p, s, e);
	default:
		rc = plan_compile(&n, e);
		return rc ? rc : read_elements(p, s, e);
	}
}

void cc_plan_fini(struct cc_plan *p)
{
	for (size_t i = 0; i < p->steps.count; i++) {
		struct cc_step *step = &p->steps.items[i];

		for (size_t k = 0; k < step->args.count; k++)
			free(step->args.items[k]);
		vec_free(&step->args);
		free(step->from);
		free(step->to);
	}
	for (size_t i = 0; i < p->scratch.count; i++)
		free(p->scratch.items[i]);
	for (size_t i = 0; i < p->names.count; i++)
		free(p->names.items[i]);
	vec_free(&p->names);
	vec_free(&p->scratch);
	vec_free(&p->steps);
	free(p->dir);
	free(p->wanted);
}
