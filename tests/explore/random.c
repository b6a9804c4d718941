/*
 * Random programs against the oracle: no missing state, no spurious one, as many executions as
 * states.  Usage: random SEED PROGRAMS THREADS OPERATIONS VARIABLES LOCKS ATOMICS [FORKS]
 */
#include "check.h"
#include "mini/random.h"

struct totals {
	unsigned long explored, wrong, skipped, stuck, states, nodes, questions;
};

static void compare(struct totals *sum, const struct mini_program *p, const char *text,
		    unsigned model)
{
	struct mini_oracle o;
	struct check c = {.p = p, .oracle = &o};
	bool stuck = false;

	mini_oracle_run(&o, p, model, 300000);
	if (!o.complete || o.count > 3000) {
		sum->skipped++;
		mini_oracle_fini(&o);
		return;
	}
	check_explore(&c, model, EXPLORE_COMPLETE);
	sum->explored++;
	sum->states += c.stats.states;
	sum->nodes += c.stats.nodes;
	sum->questions += c.stats.questions;
	for (size_t i = 0; i < o.count; i++)
		stuck |= o.states[i].stuck;
	sum->stuck += stuck;
	/* A deadlock may hide behind a state in which all ends well. */
	if (c.rc || c.spurious || c.stats.diverged || check_missing(&c) ||
	    (!stuck && (c.found != o.count || c.stats.executions != o.count))) {
		sum->wrong++;
		printf("    %s: %lu executions, %lu states of %zu, %lu spurious, %lu diverged %s\n"
		       "    %s\n",
		       check_models[model], c.stats.executions, c.stats.states, o.count, c.spurious,
		       c.stats.diverged, c.rc ? c.err.text : "", text);
	}
	free(c.shown);
	mini_oracle_fini(&o);
}

int main(int argc, char **argv)
{
	struct mini_random_opts opts = {.fences = true};
	struct totals sum = {0};
	struct rng r;

	if (argc != 8 && argc != 9)
		return 2;
	rng_seed(&r, strtoull(argv[1], NULL, 10));
	opts.max_threads = (unsigned)atoi(argv[3]);
	opts.max_ops = (unsigned)atoi(argv[4]);
	opts.vars = (unsigned)atoi(argv[5]);
	opts.locks = (unsigned)atoi(argv[6]);
	opts.rmw = atoi(argv[7]);
	opts.forks = argc == 9 && atoi(argv[8]);
	for (int i = 0; i < atoi(argv[2]); i++) {
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
	printf("    %lu explorations, %lu wrong, %lu skipped as too large, %lu with deadlocks; %lu "
	       "states, %lu nodes, "
	       "%lu questions\n",
	       sum.explored, sum.wrong, sum.skipped, sum.stuck, sum.states, sum.nodes,
	       sum.questions);
	return sum.wrong != 0;
}
