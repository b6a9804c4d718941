/*
 * Depth first search against known numbers of interleavings, and random programs, where it must
 * show every state and every deadlock.  Usage: dfs PROGRAMS
 */
#include "check.h"
#include "mini/random.h"

#define MOST_RUNS 20000

#define ONE "lock(m); unlock(m); "

/* Under TSO and PSO the order in which stores reach memory counts; 0: not given. */
static const struct {
	const char *name, *text;
	uint64_t interleavings[3], stuck; /* stuck 0 where locks cannot block for good */
} programs[] = {
	{"2 threads, 1 section", "thread { " ONE "} thread { " ONE "}", {2, 2, 2}, 0},
	{"2 threads, 2 sections", "thread { " ONE ONE "} thread { " ONE ONE "}", {6, 6, 6}, 0},
	{"2 threads, 3 sections", "thread { " ONE ONE ONE "} thread { " ONE ONE ONE "}", {20}, 0},
	{"3 threads, 2 sections",
	 "thread { " ONE ONE "} thread { " ONE ONE "} thread { " ONE ONE "}",
	 {90},
	 0},
	{"AB and BA",
	 "thread { lock(a); lock(b); unlock(b); unlock(a); }"
	 "thread { lock(b); lock(a); unlock(a); unlock(b); }",
	 {6, 6, 6},
	 2},
	{"read and write",
	 "shared x; thread { r = x; x = 1; } thread { r = x; x = 2; }",
	 {6, 6, 6},
	 0},
	{"3 threads read and write",
	 "shared x; thread { r = x; x = 1; } thread { r = x; x = 2; } thread { r = x; x = 3; }",
	 {90},
	 0},
	{"1 writer, 3 readers",
	 "shared x; thread { x = 1; } thread { a = x; } thread { a = x; } thread { a = x; }",
	 {24, 24, 24},
	 0},
	{"SB",
	 "shared x, y; thread { x = 1; a = y; } thread { y = 1; b = x; }",
	 {6, 24, 24},
	 0},
	{"SB+fences",
	 "shared x, y; thread { x = 1; fence; a = y; } thread { y = 1; fence; b = x; }",
	 {20, 20, 20},
	 0},
	{"SB+rfi",
	 "shared x, y; thread { x = 1; a = x; b = y; } thread { y = 1; c = y; d = x; }",
	 {20, 180, 180},
	 0},
	{"MP",
	 "shared x, y; thread { x = 1; y = 1; } thread { a = y; b = x; }",
	 {6, 6, 12},
	 0},
	{"LB",
	 "shared x, y; thread { a = y; x = 1; } thread { b = x; y = 1; }",
	 {6, 6, 6},
	 0},
	{"same location",
	 "shared x; thread { x = 1; x = 2; } thread { a = x; }",
	 {3, 3, 3},
	 0},
};

static int check_known(size_t i, const struct mini_program *p, unsigned model)
{
	struct mini_oracle o;
	struct check c = {.p = p, .oracle = &o};
	bool good;

	mini_oracle_run(&o, p, model, 1000000);
	check_explore(&c, model, EXPLORE_DFS);
	good = !c.rc && !c.spurious && c.found == o.count &&
	       c.stats.executions == programs[i].interleavings[model] &&
	       c.stats.stuck == programs[i].stuck;
	printf("%s dfs %s %s\n", good ? "ok" : "not ok", check_models[model], programs[i].name);
	if (!good)
		printf("    %lu executions, %lu stuck, %lu of %zu states\n", c.stats.executions,
		       c.stats.stuck, c.found, o.count);
	free(c.shown);
	mini_oracle_fini(&o);
	return !good;
}

struct totals {
	unsigned long explored, skipped, wrong, states, executions;
};

static void compare(struct totals *sum, const struct mini_program *p, const char *text,
		    unsigned model)
{
	struct mini_oracle o;
	struct check c = {.p = p, .oracle = &o};

	mini_oracle_run(&o, p, model, 300000);
	check_explore_with(
		&c, model,
		(struct explore_opts){.algorithm = EXPLORE_DFS, .max_executions = MOST_RUNS});
	if (!o.complete || c.stats.executions >= MOST_RUNS) {
		sum->skipped++;
	} else {
		sum->explored++;
		sum->states += c.found;
		sum->executions += c.stats.executions;
		if (c.rc || c.spurious || c.found != o.count) {
			sum->wrong++;
			printf("    %s: %lu executions, %lu of %zu states, %lu spurious %s\n    %s\n",
			       check_models[model], c.stats.executions, c.found, o.count,
			       c.spurious, c.rc ? c.err.text : "", text);
		}
	}
	free(c.shown);
	mini_oracle_fini(&o);
}

static int check_random(const char *name, uint64_t seed, int n, struct mini_random_opts opts)
{
	struct totals sum = {0};
	struct rng r;

	rng_seed(&r, seed);
	for (int i = 0; i < n; i++) {
		struct strbuf text = STRBUF_INIT;
		struct mini_program p;
		char message[200];

		mini_random(&text, &r, &opts);
		if (mini_parse(&p, text.text, message, sizeof(message))) {
			printf("    %s\n    %s\n", message, text.text);
			return 1;
		}
		for (unsigned model = 0; model < 3; model++)
			compare(&sum, &p, text.text, model);
		mini_free(&p);
		strbuf_free(&text);
	}
	printf("    %lu explorations, %lu skipped as too large: %lu states, %lu interleavings\n",
	       sum.explored, sum.skipped, sum.states, sum.executions);
	printf("%s dfs random %s\n", sum.wrong ? "not ok" : "ok", name);
	return sum.wrong != 0;
}

int main(int argc, char **argv)
{
	int failed = 0, n = argc > 1 ? atoi(argv[1]) : 40;

	for (size_t i = 0; i < sizeof(programs) / sizeof(programs[0]); i++) {
		struct mini_program p;
		char message[200] = "";

		if (mini_parse(&p, programs[i].text, message, sizeof(message))) {
			printf("not ok dfs %s\n    %s\n", programs[i].name, message);
			return 1;
		}
		for (unsigned model = 0; model < 3; model++)
			if (programs[i].interleavings[model])
				failed |= check_known(i, &p, model);
		mini_free(&p);
	}
	failed |= check_random("reads, writes and fences", 21, n,
			       (struct mini_random_opts){2, 3, 2, 0, false, true, false});
	failed |= check_random("locks and atomics", 22, n,
			       (struct mini_random_opts){2, 3, 2, 2, true, true, false});
	failed |= check_random("forks and joins", 23, n,
			       (struct mini_random_opts){3, 2, 2, 0, true, true, true});
	return failed;
}
