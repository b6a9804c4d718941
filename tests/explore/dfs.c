/* Depth first search against known numbers of interleavings. */
#include "check.h"

#define ONE "lock(m); unlock(m); "

static const struct {
	const char *name, *text;
	uint64_t interleavings, stuck; /* stuck 0 where locks cannot block for good */
} programs[] = {
	{"2 threads, 1 section", "thread { " ONE "} thread { " ONE "}", 2, 0},
	{"2 threads, 2 sections", "thread { " ONE ONE "} thread { " ONE ONE "}", 6, 0},
	{"2 threads, 3 sections", "thread { " ONE ONE ONE "} thread { " ONE ONE ONE "}", 20, 0},
	{"3 threads, 2 sections",
	 "thread { " ONE ONE "} thread { " ONE ONE "} thread { " ONE ONE "}", 90, 0},
	{"AB and BA",
	 "thread { lock(a); lock(b); unlock(b); unlock(a); }"
	 "thread { lock(b); lock(a); unlock(a); unlock(b); }",
	 6, 2},
	{"read and write", "shared x; thread { r = x; x = 1; } thread { r = x; x = 2; }", 6, 0},
	{"3 threads read and write",
	 "shared x; thread { r = x; x = 1; } thread { r = x; x = 2; } thread { r = x; x = 3; }", 90,
	 0},
	{"1 writer, 3 readers",
	 "shared x; thread { x = 1; } thread { a = x; } thread { a = x; } thread { a = x; }", 24,
	 0},
};

int main(void)
{
	int failed = 0;

	for (size_t i = 0; i < sizeof(programs) / sizeof(programs[0]); i++) {
		struct mini_program p;
		struct mini_oracle o;
		struct check c = {.p = &p, .oracle = &o};
		char message[200] = "";
		bool good;

		if (mini_parse(&p, programs[i].text, message, sizeof(message))) {
			printf("not ok dfs %s\n    %s\n", programs[i].name, message);
			return 1;
		}
		mini_oracle_run(&o, &p, MODEL_SC, 1000000);
		check_explore(&c, MODEL_SC, EXPLORE_DFS);
		good = !c.rc && !c.spurious && c.found == o.count &&
		       c.stats.executions == programs[i].interleavings &&
		       c.stats.stuck == programs[i].stuck;
		printf("%s dfs %s\n", good ? "ok" : "not ok", programs[i].name);
		if (!good)
			printf("    %lu executions, %lu stuck, %lu of %zu states\n",
			       c.stats.executions, c.stats.stuck, c.found, o.count);
		failed |= !good;
		free(c.shown);
		mini_oracle_fini(&o);
		mini_free(&p);
	}
	return failed;
}
