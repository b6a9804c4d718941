/*
 * Classic exploration with static dependences: MCR-S frees the reads nothing depends on, MCR-S+ all
 * but those before the target.  Known numbers, what forgetting data flow does, and that nothing
 * spurious is ever counted.
 */
#include "check.h"
#include "mini/depend.h"
#include "mini/random.h"
#include "mini/vectors.h"

#define L41(reads) "shared x; thread { x = 1; } thread { " reads "}"
#define R "a = x; "

static int failed;

/* Executions and states: with every read kept, MCR-S, MCR-S+; the same under every model. */
static const struct {
	const char *name, *text;
	struct mini_count of[3];
} programs[] = {
	{"L41 k=1", L41(R), {{2, 2}, {2, 2}, {2, 2}}},
	{"L41 k=2", L41(R R), {{3, 3}, {4, 3}, {3, 3}}},
	{"L41 k=3", L41(R R R), {{4, 4}, {8, 4}, {4, 4}}},
	{"L41 k=4", L41(R R R R), {{5, 5}, {16, 5}, {5, 5}}},
	{"L41 k=5", L41(R R R R R), {{6, 6}, {32, 6}, {6, 6}}},
	{"DD",
	 "shared x, y; thread { r = y; } thread { x = 1; y = x; } thread { x = 2; }",
	 {{4, 4}, {4, 4}, {4, 4}}},
	/* The first read decides about everything: no difference. */
	{"control",
	 "shared x, y; thread { x = 1; y = 1; } thread { if (x == 1) r = y; }",
	 {{3, 3}, {3, 3}, {3, 3}}},
	/* Twice the same as L41, but an index and a condition hold on to the first read. */
	{"index",
	 "shared x, y[2]; thread { x = 1; } thread { a = x; b = y[a]; c = x; }",
	 {{3, 3}, {4, 3}, {3, 3}}},
	{"condition",
	 "shared x; thread { x = 1; } thread { if (x == 0) a = 1; else a = 2; b = x; }",
	 {{3, 3}, {4, 3}, {3, 3}}},
	/* What is written was decided by the first read. */
	{"decided",
	 "shared x, y; thread { x = 1; } thread { if (x == 1) a = 1; else a = 2; y = a; }"
	 "thread { b = y; }",
	 {{5, 4}, {5, 4}, {5, 4}}},
	/*
	 * The writer's own read is free under both: MCR-S+ is not always MCR.  This is the smallest
	 * program we know that shows it.
	 */
	{"LB",
	 "shared x, y; thread { a = y; x = 1; } thread { b = x; y = 1; }",
	 {{3, 3}, {4, 3}, {4, 3}}},
};

static const char *const modes[] = {"classic", "MCR-S", "MCR-S+"};

static struct explore_opts options(unsigned mode, struct mini_depend *d)
{
	return (struct explore_opts){.algorithm = EXPLORE_CLASSIC,
				     .static_deps = (enum explore_static)mode,
				     .depends = mini_depends,
				     .depends_arg = d,
				     .measure = true};
}

static void result(bool good, const char *what, const char *name, const struct check *c)
{
	printf("%s %s %s\n", good ? "ok" : "not ok", what, name);
	failed |= !good;
	if (!good)
		printf("    %lu executions, %lu states, %lu spurious, %lu diverged, %lu missed\n",
		       c->stats.executions, c->stats.states, c->spurious, c->stats.diverged,
		       c->stats.missed);
}

static void parse(struct mini_program *p, const char *text)
{
	char message[200];

	if (mini_parse(p, text, message, sizeof(message))) {
		printf("not ok parse %s\n    %s\n", text, message);
		exit(1);
	}
}

static void check_numbers(unsigned i, unsigned model)
{
	struct mini_program p;
	struct mini_depend d;
	struct mini_oracle o;
	struct check c = {.p = &p, .oracle = &o};

	parse(&p, programs[i].text);
	mini_depend_init(&d, &p);
	mini_oracle_run(&o, &p, model, 1000000);
	for (unsigned mode = 0; mode < 3; mode++) {
		char what[40];

		check_explore_with(&c, model, options(mode, &d));
		snprintf(what, sizeof(what), "%s %s", modes[mode], check_models[model]);
		result(!c.rc && !c.spurious && !c.stats.missed &&
			       c.stats.executions == programs[i].of[mode].runs &&
			       c.stats.states == programs[i].of[mode].states,
		       what, programs[i].name, &c);
		free(c.shown);
	}
	mini_oracle_fini(&o);
	mini_depend_fini(&d);
	mini_free(&p);
}

/*
 * Without data flow the question r=1 is answered by y=x and r=y alone, which gives r=0: the run is
 * dropped, and the question asked again.
 */
static void check_data_flow(void)
{
	struct mini_program p;
	struct mini_depend d;
	struct mini_oracle o;
	struct check c = {.p = &p, .oracle = &o};

	parse(&p, "shared x, y; thread { r = y; } thread { x = 1; } thread { y = x; }");
	mini_depend_init(&d, &p);
	mini_oracle_run(&o, &p, MODEL_SC, 1000000);
	d.control_only = true;
	check_explore_with(&c, MODEL_SC, options(EXPLORE_STATIC_S, &d));
	result(!c.rc && c.stats.missed == 1 && !c.spurious && c.stats.states == 3, "dependence",
	       "data flow forgotten", &c);
	free(c.shown);
	mini_oracle_fini(&o);
	mini_depend_fini(&d);
	mini_free(&p);
}

/* All programs of the suite: only real states are counted, no more work per question. */
static void check_program(const struct mini_vector *v, unsigned model)
{
	struct mini_program p;
	struct mini_depend d;
	struct mini_oracle o;
	struct check c = {.p = &p, .oracle = &o};
	struct explore_stats stats[3];
	bool good = true;

	parse(&p, v->text);
	mini_depend_init(&d, &p);
	mini_oracle_run(&o, &p, model, 20000000);
	for (unsigned mode = 0; mode < 3; mode++) {
		check_explore_with(&c, model, options(mode, &d));
		good &= !c.rc && !c.spurious && !c.stats.diverged && !c.stats.unknown;
		stats[mode] = c.stats;
		free(c.shown);
	}
	for (unsigned mode = 1; mode < 3; mode++)
		good &= stats[mode].reads * stats[0].questions <=
			stats[0].reads * stats[mode].questions;
	result(good, "static", v->name, &c);
	mini_oracle_fini(&o);
	mini_depend_fini(&d);
	mini_free(&p);
}

/* Random programs: what is counted is real, whatever the seeds turned out to be. */
static void check_random(unsigned model)
{
	struct mini_random_opts opts = {.max_threads = 4,
					.max_ops = 4,
					.vars = 2,
					.locks = 1,
					.rmw = true,
					.fences = true,
					.forks = true};
	struct check c = {.p = NULL};
	uint64_t runs[3] = {0}, missed = 0;
	bool good = true;
	struct rng r;

	rng_seed(&r, 21);
	for (unsigned i = 0; i < 60; i++) {
		struct strbuf text = STRBUF_INIT;
		struct mini_program p;
		struct mini_depend d;
		struct mini_oracle o;

		opts.forks = i % 2;
		mini_random(&text, &r, &opts);
		parse(&p, text.text);
		mini_depend_init(&d, &p);
		mini_oracle_run(&o, &p, model, 1000000);
		c.p = &p;
		c.oracle = &o;
		for (unsigned mode = 0; mode < 3; mode++) {
			check_explore_with(&c, model, options(mode, &d));
			good &= !c.rc && !c.spurious && !c.stats.diverged && !c.stats.unknown;
			runs[mode] += c.stats.executions;
			missed += c.stats.missed;
			free(c.shown);
		}
		mini_oracle_fini(&o);
		mini_depend_fini(&d);
		mini_free(&p);
		strbuf_free(&text);
	}
	printf("    executions %lu, MCR-S %lu, MCR-S+ %lu, %lu missed their target\n", runs[0],
	       runs[1], runs[2], missed);
	result(good, "static random", check_models[model], &c);
}

int main(void)
{
	for (unsigned i = 0; i < sizeof(programs) / sizeof(programs[0]); i++) {
		for (unsigned model = 0; model < 3; model++)
			check_numbers(i, model);
	}
	check_data_flow();
	for (unsigned i = 0; i < mini_vector_count; i++)
		check_program(&mini_vectors[i], MODEL_SC);
	for (unsigned model = 0; model < 3; model++)
		check_random(model);
	return failed;
}
