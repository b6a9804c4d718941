/*
 * Partial-order reduction: known numbers of inequivalent executions, and random programs, where it
 * must show every state with one execution for each class of interleavings.  Usage: dpor PROGRAMS
 */
#include "check.h"
#include "mini/random.h"

#define LARGEST 4000	/* classes of a random program at most */
#define MOST_RUNS 40000 /* interleavings */

#define ONE "lock(m); unlock(m); "
#define FORK(a, b) "thread { lock(" #a "); lock(" #b "); unlock(" #b "); unlock(" #a "); }"
#define OWN(p)                                                                                     \
	"thread { lock(" #p "); unlock(" #p "); lock(m); unlock(m); lock(" #p "); unlock(" #p "); }"

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

/* ---- classes of interleavings ---- */

struct classes {
	uint64_t keys[LARGEST];
	size_t count;
	uint64_t runs;
	bool full;
};

static bool ordered(const struct solve_event *a, const struct solve_event *b)
{
	bool lock_a = a->op == SOLVE_LOCK || a->op == SOLVE_UNLOCK;
	bool lock_b = b->op == SOLVE_LOCK || b->op == SOLVE_UNLOCK;

	if (a->thread == b->thread)
		return true;
	if (a->op <= SOLVE_RMW && b->op <= SOLVE_RMW)
		return a->object == b->object && (a->op != SOLVE_READ || b->op != SOLVE_READ);
	return (lock_a && lock_b && a->object == b->object) ||
	       (a->op == SOLVE_FORK && a->object == b->thread) ||
	       (a->op == SOLVE_END && b->op == SOLVE_JOIN && b->object == a->thread);
}

/* Equal for executions that differ only in the order of independent events. */
static uint64_t class_of(const struct solve_history *h)
{
	uint64_t *keys = xcalloc(h->count + 1, sizeof(*keys)), sum = 0;

	for (size_t i = 0; i < h->count; i++) {
		uint64_t k = (uint64_t)h->items[i].thread << 32 | h->items[i].index;

		for (size_t j = 0; j < i; j++)
			if (ordered(&h->items[j], &h->items[i]))
				k += keys[j] * UINT64_C(0x9e3779b97f4a7c15);
		k = (k ^ k >> 31) * UINT64_C(0xbf58476d1ce4e5b9);
		keys[i] = k ^ k >> 29;
		sum += keys[i];
	}
	free(keys);
	return sum;
}

static int note_class(void *arg, const struct explore_run *r)
{
	struct classes *c = arg;
	uint64_t key = class_of(&r->history);

	c->runs++;
	for (size_t i = 0; i < c->count; i++)
		if (c->keys[i] == key)
			return 0;
	if (c->count < LARGEST)
		c->keys[c->count++] = key;
	c->full |= c->count == LARGEST || c->runs >= MOST_RUNS;
	return c->full;
}

/* All interleavings, for their classes. */
static int enumerate(const struct mini_program *p, struct classes *c)
{
	struct explore_opts o = {.algorithm = EXPLORE_DFS, .ran = note_class, .arg = c};
	struct explore_stats stats;
	struct err e = ERR_INIT;
	struct mini_exec x;

	*c = (struct classes){.count = 0};
	mini_exec_init(&x, p, MODEL_SC);
	return explore(&x.base, &o, &stats, &e);
}

struct totals {
	unsigned long programs, skipped, wrong, classes, interleavings, redundant;
};

static void compare(struct totals *sum, const struct mini_program *p, const char *text)
{
	static struct classes all, reduced;
	struct mini_oracle o;
	struct check c = {.p = p, .oracle = &o};

	mini_oracle_run(&o, p, MODEL_SC, 300000);
	if (enumerate(p, &all) || all.full || !o.complete) {
		sum->skipped++;
		mini_oracle_fini(&o);
		return;
	}
	check_explore(&c, MODEL_SC, EXPLORE_DPOR);
	free(c.shown);
	reduced = (struct classes){.count = 0};
	c.rc |= explore(&c.exec.base,
			&(struct explore_opts){
				.algorithm = EXPLORE_DPOR, .ran = note_class, .arg = &reduced},
			&c.stats, &c.err);
	sum->programs++;
	sum->classes += all.count;
	sum->interleavings += all.runs;
	sum->redundant += c.stats.redundant;
	if (c.rc || c.spurious || c.found != o.count || reduced.count != all.count ||
	    c.stats.executions != all.count) {
		sum->wrong++;
		printf("    %lu executions, %zu classes of %zu, %lu of %zu states %s\n    %s\n",
		       c.stats.executions, reduced.count, all.count, c.found, o.count,
		       c.rc ? c.err.text : "", text);
	}
	mini_oracle_fini(&o);
}

static int check_random(const char *name, uint64_t seed, int programs,
			struct mini_random_opts opts)
{
	struct totals sum = {0};
	struct rng r;

	rng_seed(&r, seed);
	for (int i = 0; i < programs; i++) {
		struct strbuf text = STRBUF_INIT;
		struct mini_program p;
		char message[200];

		mini_random(&text, &r, &opts);
		if (mini_parse(&p, text.text, message, sizeof(message))) {
			printf("    %s\n    %s\n", message, text.text);
			return 1;
		}
		compare(&sum, &p, text.text);
		mini_free(&p);
		strbuf_free(&text);
	}
	printf("    %lu programs, %lu skipped as too large: %lu classes, %lu interleavings, %lu "
	       "redundant\n",
	       sum.programs, sum.skipped, sum.classes, sum.interleavings, sum.redundant);
	printf("%s dpor random %s\n", sum.wrong ? "not ok" : "ok", name);
	return sum.wrong != 0;
}

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

int main(int argc, char **argv)
{
	int failed = 0, n = argc > 1 ? atoi(argv[1]) : 100;

	for (size_t i = 0; i < sizeof(programs) / sizeof(programs[0]); i++)
		failed |= check_known(i);
	failed |= check_random("reads and writes", 11, n,
			       (struct mini_random_opts){3, 3, 2, 0, false, false, false});
	failed |= check_random("locks", 12, n,
			       (struct mini_random_opts){3, 3, 2, 2, false, false, false});
	failed |= check_random("atomics", 13, n,
			       (struct mini_random_opts){3, 3, 2, 1, true, false, false});
	failed |= check_random("forks and joins", 14, n,
			       (struct mini_random_opts){3, 3, 2, 1, true, false, true});
	return failed;
}
