/* Reachability in random graphs against a closure made step by step. */
#include "unit.h"

#include "base/rng.h"
#include "deps/graph.h"

#define NODES 24

static void check_random(struct rng *r)
{
	bool closure[NODES][NODES] = {{false}};
	struct deps_graph g = {0};
	unsigned edges = (unsigned)rng_below(r, 60);

	for (unsigned i = 0; i < NODES; i++)
		assert_int_equal(deps_graph_node(&g), i);
	for (unsigned i = 0; i < edges; i++) {
		uint32_t a = (uint32_t)rng_below(r, NODES), b = (uint32_t)rng_below(r, NODES);

		deps_graph_edge(&g, a, b);
		closure[a][b] |= a != b;
	}
	deps_graph_edge(&g, 0, DEPS_NO_NODE);
	for (unsigned k = 0; k < NODES; k++)
		for (unsigned i = 0; i < NODES; i++)
			for (unsigned j = 0; j < NODES; j++)
				closure[i][j] |= closure[i][k] && closure[k][j];
	deps_graph_close(&g);
	for (unsigned i = 0; i < NODES; i++) {
		bool reached[NODES] = {false}, any = false;

		deps_graph_reach(&g, g.group[i], reached);
		for (unsigned j = 0; j < NODES; j++) {
			assert_int_equal(reached[g.group[j]], closure[i][j]);
			any |= closure[i][j];
		}
		assert_int_equal(deps_graph_leads(&g, i), any);
	}
	deps_graph_fini(&g);
}

static void groups_reach_what_nodes_reach(void **state)
{
	struct rng r;

	rng_seed(&r, 5);
	for (unsigned i = 0; i < 2000; i++)
		check_random(&r);
}

static void an_empty_graph_can_be_closed(void **state)
{
	struct deps_graph g = {0};

	deps_graph_close(&g);
	assert_int_equal(g.groups, 0);
	deps_graph_fini(&g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(groups_reach_what_nodes_reach),
		cmocka_unit_test(an_empty_graph_can_be_closed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
