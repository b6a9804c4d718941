/*
 * Partial-order reduction: known numbers of inequivalent executions, and random programs, where it
 * must show every state with no more executions than there are interleavings.
 */
#include "check.h"
#include "mini/random.h"

#define ONE "lock(m); unlock(m); "
#define FORK(a, b) "thread { lock(" #a "); lock(" #b "); unlock(" #b "); unlock(" #a "); }"
#define OWN(p) "thread { lock(" #p "); unlock(" #p "); lock(m); unlock(m); lock(" #p "); unlock(" #p "); }"

static const struct {
	const char *name, *text;
	uint64_t interleavings, classes, stuck;
} programs[] = {
	{"2 threads, 1 section", "thread { " ONE "} thread { " ONE "}", 2, 2, 0},
	{"2 threads, 2 sections", "thread { " ONE ONE "} thread { " ONE ONE "}", 6, 6, 0},
	{"2 threads, 3 sections", "thread { " ONE ONE ONE "} thread { " ONE ONE ONE "}", 20, 20, 0},
	{"2 threads, 4 sections", "thread { " ONE ONE ONE ONE "} thread { " ONE ONE ONE ONE "}", 70,
	 70, 0},
	{"3 threads, 1 section", "thread { " ONE "} thread { " ONE "} thread { " ONE "}", 6, 6, 0},
	{"3 threads, 2 sections",
	 "thread { " ONE ONE "} thread { " ONE ONE "} thread { " ONE ONE "}", 90, 90, 0},
	{"private locks", "thread { lock(a); unlock(a); } thread { lock(b); unlock(b); }", 6, 1, 0},
	{"private locks, 3 sections",
	 "thread { lock(a); unlock(a); lock(a); unlock(a); lock(a); unlock(a); }"
	 "thread { lock(b); unlock(b); lock(b); unlock(b); lock(b); unlock(b); }",
	 924, 1, 0},
	{"AB and BA", FORK(a, b) FORK(b, a), 6, 3, 1},
	{"3 philosophers", FORK(a, b) FORK(b, c) FORK(c, a), 168, 7, 1},
	{"private, shared, private", OWN(a) OWN(b), 524, 2, 0},
	{"read and write", "shared x; thread { r = x; x = 1; } thread { r = x; x = 2; }", 6, 4, 0},
	{"3 threads read and write",
	 "shared x; thread { r = x; x = 1; } thread { r = x; x = 2; } thread { r = x; x = 3; }", 90,
	 36, 0},
	{"distinct variables",
	 "shared a, b, c, d, e, f; thread { a = 1; b = 1; c = 1; } thread { d = 1; e = 1; f = 1; }",
	 20, 1, 0},
	{"chain",
	 "shared a, b, c; thread { a = 1; } thread { r = a; b = 1; } thread { s = b; c = 1; }", 30,
	 4, 0},
	{"1 writer, 3 readers",
	 "shared x; thread { x = 1; } thread { a = x; } thread { a = x; } thread { a = x; }", 24, 8,
	 0},
	{"ordered reads",
	 "shared x, y; thread { y = 1; x = 1; } thread { lock(n); a = x; unlock(n); b = y; }"
	 "thread { c = x; lock(m); d = y; unlock(m); }",
	 0, 9, 0},
};

static int result(bool good, const char *name, const struct check *c, uint64_t interleavings)
{
	printf("%s dpor %s\n", good ? "ok" : "not ok", name);
	if (!good)
		printf("    %lu executions of %lu, %lu stuck, %lu redundant, %lu diverged, %lu of "
		       "%zu states%s%s\n",
		       c->stats.executions, interleavings, c->stats.stuck, c->stats.redundant,
		       c->stats.diverged, c->found, c->oracle->count, c->rc ? ", " : "",
		       c->rc ? c->err.text : "");
	return !good;
}

static int check_known(size_t i)
{
	struct mini_program p;
	struct mini_oracle o;
	struct check c = {.p = &p, .oracle = &o};
	char message[200] = "";
	uint64_t interleavings;
	int failed;

	if (mini_parse(&p, programs[i].text, message, sizeof(message))) {
		printf("not ok dpor %s\n    %s\n", programs[i].name, message);
		return 1;
	}
	mini_oracle_run(&o, &p, MODEL_SC, 1000000);
	check_explore(&c, MODEL_SC, EXPLORE_DFS);
	interleavings = c.stats.executions;
	free(c.shown);
	check_explore(&c, MODEL_SC, EXPLORE_DPOR);
	failed = result(!c.rc && !c.spurious && c.found == o.count &&
				(!programs[i].interleavings ||
				 interleavings == programs[i].interleavings) &&
				c.stats.executions == programs[i].classes &&
				c.stats.stuck == programs[i].stuck,
			programs[i].name, &c, interleavings);
	free(c.shown);
	mini_oracle_fini(&o);
	mini_free(&p);
	return failed;
}

int main(void)
{
	int failed = 0;

	for (size_t i = 0; i < sizeof(programs) / sizeof(programs[0]); i++)
		failed |= check_known(i);
	return failed;
}
