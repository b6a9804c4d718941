#include "cc/plan.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/strbuf.h"

struct planner {
	struct cc_plan *p;
	const struct cc_scan *s;
	const struct cc_parts *parts;
	unsigned count; /* of intermediate files */
};

static struct cc_step *new_step(struct planner *n, enum cc_step_kind kind)
{
	struct cc_step fresh = {.kind = kind};

	vec_push(&n->p->steps, fresh);
	return &vec_last(&n->p->steps);
}

static void arg(struct cc_step *step, const char *text)
{
	vec_push(&step->args, xstrdup(text));
}

static void end_args(struct cc_step *step)
{
	vec_push(&step->args, NULL);
}

static void arg_pair(struct cc_step *step, const struct cc_arg *a)
{
	arg(step, a->text);
	if (a->value)
		arg(step, a->value);
}

static void args_of_class(struct planner *n, struct cc_step *step, enum cc_class class)
{
	for (size_t i = 0; i < n->s->args.count; i++)
		if (n->s->args.items[i].class == class)
			arg_pair(step, &n->s->args.items[i]);
}

/* Order between classes matters to the compiler (-W against -f, -D against -U): keep it. */
static void args_front(struct planner *n, struct cc_step *step)
{
	for (size_t i = 0; i < n->s->args.count; i++) {
		enum cc_class class = n->s->args.items[i].class;

		if (class == CC_FRONT || class == CC_ALL)
			arg_pair(step, &n->s->args.items[i]);
	}
}

static int make_dir(struct planner *n, struct err *e)
{
	const char *base = getenv("TMPDIR");

	if (n->p->dir)
		return 0;
	n->p->dir = xasprintf("%s/heddle-cc.XXXXXX", base && *base ? base : "/tmp");
	if (mkdtemp(n->p->dir))
		return 0;
	err_errno(e, ERR_IO, "cannot create a temporary directory %s", n->p->dir);
	free(n->p->dir);
	n->p->dir = NULL;
	return ERR_IO;
}

static char *stem_of(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *base = slash ? slash + 1 : path;
	const char *dot = strrchr(base, '.');

	return dot && dot != base ? xstrndup(base, (size_t)(dot - base)) : xstrdup(base);
}

/* A name in the temporary directory that still tells which source it belongs to. */
static char *scratch(struct planner *n, const char *source, const char *suffix)
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
	arg(step, "-idirafter");
	arg(step, n->parts->incdir);
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
		arg(step, "-MQ");
		arg(step, target);
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
		arg(step, "-MF");
		arg(step, file);
		free(file);
	}
	free(stem);
}

static void plan_bitcode(struct planner *n, const struct cc_arg *source, const char *to)
{
	struct cc_step *step = new_step(n, STEP_RUN);

	arg(step, n->parts->compiler);
	args_front(n, step);
	args_include(n, step);
	args_deps(n, step, source->text);
	/* Code generation options the link would use are unused here; the compiler need not say so.
	 */
	if (n->s->mode == CC_LINK)
		arg(step, "-Qunused-arguments");
	if (!n->s->optimize) {
		arg(step, "-Xclang");
		arg(step, "-disable-O0-optnone");
	}
	arg(step, "-Xclang");
	arg(step, "-disable-llvm-passes");
	arg(step, "-fno-discard-value-names");
	arg(step, "-g");
	arg(step, "-emit-llvm");
	arg(step, "-c");
	if (source->language) {
		arg(step, "-x");
		arg(step, source->language);
	}
	arg(step, "-o");
	arg(step, to);
	arg(step, source->text);
	end_args(step);
}

static void plan_instrument(struct planner *n, const struct cc_arg *source, const char *from,
			    const char *to)
{
	struct cc_step *step = new_step(n, STEP_INSTRUMENT);

	step->from = xstrdup(from);
	step->to = xstrdup(to);
	step->source = source->text;
	args_of_class(n, step, CC_ALL);
	end_args(step);
}

static void plan_code(struct planner *n, const char *from, const char *to)
{
	struct cc_step *step = new_step(n, STEP_RUN);

	arg(step, n->parts->compiler);
	args_of_class(n, step, CC_ALL);
	arg(step, "-Qunused-arguments");
	if (!n->p->keep_debug)
		arg(step, "-g0");
	arg(step, n->s->mode == CC_ASSEMBLE ? "-S" : "-c");
	arg(step, "-x");
	arg(step, "ir");
	arg(step, "-o");
	arg(step, to);
	arg(step, from);
	end_args(step);
}

/* Source to object (or assembly) at the path `to'. */
static int plan_source(struct planner *n, const struct cc_arg *source, const char *to,
		       struct err *e)
{
	char *plain, *marked;
	int rc = make_dir(n, e);

	if (rc)
		return rc;
	n->count++;
	plain = scratch(n, source->text, ".bc");
	marked = scratch(n, source->text, ".heddle.bc");
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
		rc = plan_source(n, source, out, e);
	} else {
		part = xasprintf("%s.heddle-%ld.part", out, (long)getpid());
		vec_push(&n->p->scratch, xstrdup(part));
		rc = plan_source(n, source, part, e);
		step = new_step(n, STEP_RENAME);
		step->from = part;
		step->to = xstrdup(out);
	}
	free(out);
	return rc;
}

/* An input that is not ours (assembly, say), under -c or -S. */
static void plan_foreign(struct planner *n, const struct cc_arg *input)
{
	struct cc_step *step = new_step(n, STEP_RUN);

	arg(step, n->parts->compiler);
	args_front(n, step);
	args_of_class(n, step, CC_DEPS);
	arg(step, n->s->mode == CC_ASSEMBLE ? "-S" : "-c");
	if (n->s->output) {
		arg(step, "-o");
		arg(step, n->s->output);
	}
	if (input->language) {
		arg(step, "-x");
		arg(step, input->language);
	}
	arg(step, input->text);
	end_args(step);
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

static void args_library(struct planner *n, struct cc_step *step)
{
	char *dir = xasprintf("-L%s", n->parts->libdir);
	char *rpath = xasprintf("-Wl,-rpath,%s", n->parts->libdir);

	/* First in the search order, so that its definitions come before the C library's. */
	arg(step, dir);
	arg(step, rpath);
	arg(step, "-Wl,--push-state,--no-as-needed");
	arg(step, "-lheddle");
	arg(step, "-Wl,--pop-state");
	arg(step, "-pthread");
	free(dir);
	free(rpath);
}

static int plan_link(struct planner *n, struct err *e)
{
	const struct cc_scan *s = n->s;
	char **objects = xcalloc(s->args.count + 1, sizeof(*objects));
	struct cc_step *step;
	int rc = 0;

	for (size_t i = 0; i < s->args.count && !rc; i++)
		if (s->args.items[i].class == CC_SOURCE) {
			rc = make_dir(n, e);
			if (rc)
				break;
			objects[i] = scratch(n, s->args.items[i].text, ".o");
			rc = plan_source(n, &s->args.items[i], objects[i], e);
		}
	step = new_step(n, STEP_RUN);
	arg(step, n->parts->compiler);
	if (!s->relocatable)
		args_library(n, step);
	arg(step, "-Qunused-arguments");
	for (size_t i = 0; i < s->args.count; i++) {
		const struct cc_arg *a = &s->args.items[i];
		bool typed = a->class == CC_INPUT && a->language;

		if (typed)
			arg(step, "-x"), arg(step, a->language);
		if (objects[i])
			arg(step, objects[i]);
		else if (a->class != CC_DEPS && a->class != CC_SOURCE)
			arg_pair(step, a);
		if (typed)
			arg(step, "-x"), arg(step, "none");
		free(objects[i]);
	}
	if (s->output)
		arg(step, "-o"), arg(step, s->output);
	end_args(step);
	free(objects);
	return rc;
}

static void plan_pass(struct planner *n)
{
	struct cc_step *step = new_step(n, STEP_RUN);

	arg(step, n->parts->compiler);
	for (size_t i = 0; i < n->s->words.count; i++)
		if (strncmp(n->s->words.items[i], "--flavor=", 9))
			arg(step, n->s->words.items[i]);
	if (n->s->inputs)
		args_include(n, step);
	end_args(step);
	n->p->only_pass = true;
}

static void plan_extract(struct planner *n)
{
	struct cc_step *step = new_step(n, STEP_EXTRACT);

	step->from = xstrdup(n->s->extract);
	step->to = xstrdup(n->s->output);
}

int cc_plan(struct cc_plan *p, const struct cc_scan *s, const struct cc_parts *parts, struct err *e)
{
	struct planner n = {p, s, parts, 0};

	memset(p, 0, sizeof(*p));
	p->keep_debug = s->debug;
	p->flavor = s->flavor;
	switch (s->mode) {
	case CC_PASS:
		plan_pass(&n);
		return 0;
	case CC_EXTRACT:
		plan_extract(&n);
		return 0;
	case CC_LINK:
		return plan_link(&n, e);
	default:
		return plan_compile(&n, e);
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
	vec_free(&p->scratch);
	vec_free(&p->steps);
	free(p->dir);
}
