/* Every program of mini/vectors.c in every mode and model it has numbers for. */
#include "check.h"
#include "mini/vectors.h"

static int failed;

static void result(const struct mini_vector *v, const char *mode, unsigned model, bool good,
		   const struct check *c)
{
	printf("%s %s %s %s\n", good ? "ok" : "not ok", mode, check_models[model], v->name);
	if (good)
		return;
	failed = 1;
	printf("    %lu executions, %lu states, %lu spurious, %lu diverged, %lu marked%s%s\n",
	       c->stats.executions, c->stats.states, c->spurious, c->stats.diverged, c->exec.marked,
	       c->rc ? ", " : "", c->rc ? c->err.text : "");
}

static bool clean(const struct check *c)
{
	return !c->rc && !c->spurious && !c->stats.diverged && !c->stats.unknown;
}

static bool matches(const struct check *c, struct mini_count want)
{
	return clean(c) && (!want.runs || c->stats.executions == want.runs) &&
	       (!want.states || c->stats.states == want.states);
}

static void check_vector(const struct mini_vector *v, struct mini_program *p, unsigned model)
{
	struct mini_oracle o;
	struct check c = {.p = p, .oracle = &o};
	bool marks;

	if (!v->states[model])
		return;
	mini_oracle_run(&o, p, model, 20000000);
	marks = v->violating[model] < 0 || o.erroneous == (size_t)v->violating[model];
	result(v, "oracle", model, o.complete && o.count == v->states[model] && marks, &c);
	check_explore(&c, model, EXPLORE_COMPLETE);
	marks = v->violating[model] < 0 || c.exec.marked == (uint64_t)v->violating[model];
	result(v, "complete", model,
	       clean(&c) && c.stats.executions == v->states[model] &&
		       c.stats.states == v->states[model] && marks,
	       &c);
	if (v->classic[model].runs || v->classic[model].states) {
		free(c.shown);
		check_explore(&c, model, EXPLORE_CLASSIC);
		result(v, "classic", model, matches(&c, v->classic[model]), &c);
	}
	if (v->se[model].runs || v->se[model].states) {
		free(c.shown);
		check_explore(&c, model, EXPLORE_SE);
		result(v, "se", model, matches(&c, v->se[model]), &c);
	}
	free(c.shown);
	mini_oracle_fini(&o);
}

int main(void)
{
	for (unsigned i = 0; i < mini_vector_count; i++) {
		struct mini_program p;
		char message[200];

		if (mini_parse(&p, mini_vectors[i].text, message, sizeof(message))) {
			printf("not ok parse %s\n    %s\n", mini_vectors[i].name, message);
			failed = 1;
			continue;
		}
		for (unsigned model = 0; model < 3; model++)
			check_vector(&mini_vectors[i], &p, model);
		mini_free(&p);
	}
	return failed;
}
