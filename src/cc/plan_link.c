/* Steps that link. */
#include <string.h>

#include "base/strbuf.h"
#include "cc/plan_priv.h"
#include "instr/flavor.h"

/*
 * After everything the user brings and before the system: a function the user defines, in an
 * archive too, is the user's own, as without us, and ours come before those of the C library.
 */
static void args_library(struct planner *n, struct cc_step *step)
{
	char *dir = xasprintf("-L%s", n->parts->libdir);
	char *rpath = xasprintf("-Wl,-rpath,%s", n->parts->libdir);
	char *library = xasprintf("-l%s", instr_flavor_find(n->p->flavor)->library);

	cc_plan_arg(step, dir);
	cc_plan_arg(step, rpath);
	cc_plan_arg(step, "-Wl,--push-state,--no-as-needed,-Bdynamic");
	cc_plan_arg(step, library);
	cc_plan_arg(step, "-Wl,--pop-state");
	cc_plan_arg(step, "-pthread");
	free(dir);
	free(rpath);
	free(library);
}

/* The word after -l when the option names a library of the system that has functions we define. */
static bool is_system_library(const struct cc_arg *a)
{
	static const char *const names[] = {"c",   "pthread", "rt",	"dl",	 "m",
					    "anl", "util",    "stdc++", "gcc_s", "atomic"};
	const char *name = a->value ? a->value : a->text + 2;

	if (a->class != CC_LINKER || strncmp(a->text, "-l", 2))
		return false;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(name, names[i]))
			return true;
	return false;
}

/* Where the user chooses between archives and shared libraries, every word stays in its place. */
static bool may_move(const struct cc_scan *s)
{
	for (size_t i = 0; i < s->args.count; i++) {
		const char *text =
			s->args.items[i].value ? s->args.items[i].value : s->args.items[i].text;

		if (s->args.items[i].class == CC_LINKER &&
		    (strstr(text, "-Bstatic") || strstr(text, "-static") || strstr(text, "-dn")))
			return false;
	}
	return true;
}

static void arg_link(struct cc_step *step, const struct cc_arg *a, const char *object)
{
	bool typed = a->class == CC_INPUT && a->language;

	if (typed)
		cc_plan_arg(step, "-x"), cc_plan_arg(step, a->language);
	if (object)
		cc_plan_arg(step, object);
	else if (a->class != CC_DEPS && a->class != CC_SOURCE)
		cc_plan_arg_pair(step, a);
	if (typed)
		cc_plan_arg(step, "-x"), cc_plan_arg(step, "none");
}

static void args_link(struct planner *n, struct cc_step *step, char *const *objects)
{
	const struct cc_scan *s = n->s;
	bool move = !s->relocatable && may_move(s);

	for (size_t i = 0; i < s->args.count; i++)
		if (!move || !is_system_library(&s->args.items[i]))
			arg_link(step, &s->args.items[i], objects[i]);
	if (!s->relocatable)
		args_library(n, step);
	for (size_t i = 0; move && i < s->args.count; i++)
		if (is_system_library(&s->args.items[i]))
			cc_plan_arg_pair(step, &s->args.items[i]);
}

/* Only a whole program tells which points need not be recorded. */
static bool is_whole(const struct planner *n)
{
	const struct instr_flavor *flavor = instr_flavor_find(n->p->flavor);

	return flavor->record && !flavor->paths && !flavor->elements && !n->s->mark_all && !n->s->relocatable;
}

/* The link under way makes a trial; what it consists of decides about the program. */
static int plan_whole(struct planner *n, struct err *e)
{
	int rc = cc_plan_make_dir(n, e);
	struct cc_step *trial, *step;
	char *path;

	if (rc)
		return rc;
	path = cc_plan_scratch(n, "trial", "");
	step = cc_plan_new_step(n, STEP_WHOLE);
	trial = step - 1;
	for (size_t i = 0; i < trial->args.count; i++)
		cc_plan_arg(step, trial->args.items[i]);
	cc_plan_arg(trial, "-o"), cc_plan_arg(trial, path);
	cc_plan_arg(step, "-o"), cc_plan_arg(step, n->s->output ? n->s->output : "a.out");
	cc_plan_end_args(trial);
	cc_plan_end_args(step);
	step->from = path;
	step->to = xstrdup(n->s->output ? n->s->output : "a.out");
	return 0;
}

int cc_plan_link(struct planner *n, struct err *e)
{
	const struct cc_scan *s = n->s;
	char **objects = xcalloc(s->args.count + 1, sizeof(*objects));
	struct cc_step *step;
	int rc = 0;

	for (size_t i = 0; i < s->args.count && !rc; i++)
		if (s->args.items[i].class == CC_SOURCE) {
			rc = cc_plan_make_dir(n, e);
			if (rc)
				break;
			objects[i] = cc_plan_scratch(n, s->args.items[i].text, ".o");
			rc = cc_plan_source(n, &s->args.items[i], objects[i], e);
		}
	step = cc_plan_new_step(n, STEP_RUN);
	cc_plan_arg(step, n->parts->compiler);
	cc_plan_arg(step, "-Qunused-arguments");
	args_link(n, step, objects);
	for (size_t i = 0; i < s->args.count; i++)
		free(objects[i]);
	free(objects);
	if (!rc && is_whole(n))
		return plan_whole(n, e);
	if (s->output)
		cc_plan_arg(step, "-o"), cc_plan_arg(step, s->output);
	cc_plan_end_args(step);
	return rc;
}
