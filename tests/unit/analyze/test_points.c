/* Points-to sets: random constraints against the definition, carried out until nothing changes. */
#include "unit.h"

#include <string.h>

#include "analyze/points.h"
#include "base/rng.h"

#define NODES 8
#define OBJECTS 3
#define PLACES 4 /* of an object, eight bytes each */
#define LOCS (OBJECTS * PLACES)
#define EDGES 14

struct edge {
	enum points_kind kind;
	unsigned from, to;
	int64_t bytes;
};

/* What nodes and places hold, by the definition. */
struct plain {
	bool node[NODES][LOCS], place[LOCS][LOCS];
};

static bool spread(bool to[LOCS], const bool from[LOCS])
{
	bool changed = false;

	for (int i = 0; i < LOCS; i++) {
		changed |= from[i] && !to[i];
		to[i] |= from[i];
	}
	return changed;
}

static bool apply(struct plain *x, const struct edge *e)
{
	bool changed = false, moved[LOCS] = {false};

	switch (e->kind) {
	case POINTS_COPY:
		return spread(x->node[e->to], x->node[e->from]);
	case POINTS_ADD:
		for (int i = 0; i < LOCS; i++)
			if (x->node[e->from][i] && i % PLACES + e->bytes / 8 < PLACES)
				moved[i + e->bytes / 8] = true;
		return spread(x->node[e->to], moved);
	case POINTS_LOAD:
		for (int i = 0; i < LOCS; i++)
			changed |= x->node[e->from][i] && spread(x->node[e->to], x->place[i]);
		return changed;
	default:
		for (int i = 0; i < LOCS; i++)
			changed |= x->node[e->from][i] && spread(x->place[i], x->node[e->to]);
		return changed;
	}
}

struct case_ {
	struct plain plain;
	struct points points;
	uint32_t nodes[NODES], objects[OBJECTS];
};

static void begin(struct case_ *c, struct rng *r)
{
	memset(c, 0, sizeof(*c));
	points_init(&c->points, NULL, NULL);
	for (int i = 0; i < NODES; i++)
		c->nodes[i] = points_node(&c->points);
	for (int i = 0; i < OBJECTS; i++)
		locs_object(&c->points.locs, OBJECT_GLOBAL, NULL, &c->objects[i])->size =
			PLACES * 8 - 1;
	for (int i = 0; i < OBJECTS; i++) {
		unsigned node = (unsigned)rng_below(r, NODES);

		c->plain.node[node][i * PLACES] = true;
		points_put(&c->points, c->nodes[node],
			   locs_get(&c->points.locs, c->objects[i], 0, 0));
	}
}

static bool solver_has(struct case_ *c, int node, int loc)
{
	size_t n;
	const uint32_t *set = points_set(&c->points, c->nodes[node], &n);
	uint32_t want = locs_get(&c->points.locs, c->objects[loc / PLACES], loc % PLACES * 8, 0);

	for (size_t i = 0; i < n; i++)
		if (set[i] == want)
			return true;
	return false;
}

static void random_constraints_have_their_least_solution(void **state)
{
	struct rng r;
	uint64_t merged = 0;

	rng_seed(&r, 5);
	for (int round = 0; round < 2000; round++) {
		struct edge edges[EDGES];
		struct case_ c;
		bool changed = true;

		begin(&c, &r);
		for (int i = 0; i < EDGES; i++) {
			struct edge *e = &edges[i];

			e->kind = (enum points_kind)rng_below(&r, 4);
			e->from = (unsigned)rng_below(&r, NODES);
			e->to = (unsigned)rng_below(&r, NODES);
			e->bytes = e->kind == POINTS_ADD ? (int64_t)(8 + 8 * rng_below(&r, 2)) : 0;
			points_edge(&c.points, c.nodes[e->from],
				    (struct points_edge){.kind = e->kind,
							 .other = c.nodes[e->to],
							 .bytes = e->bytes});
			/* Some sets are there before the next constraint comes. */
			if (rng_below(&r, 3) == 0)
				assert_true(points_solve(&c.points, NULL, NULL));
		}
		assert_true(points_solve(&c.points, NULL, NULL));
		while (changed) {
			changed = false;
			for (int i = 0; i < EDGES; i++)
				changed |= apply(&c.plain, &edges[i]);
		}
		for (int i = 0; i < NODES; i++)
			for (int k = 0; k < LOCS; k++)
				assert_int_equal(solver_has(&c, i, k), c.plain.node[i][k]);
		merged += c.points.merged;
		points_fini(&c.points);
	}
	assert_true(merged > 100);
}

static void walking_through_an_array_ends(void **state)
{
	struct points p;
	uint32_t object, node, next;
	size_t n;

	points_init(&p, NULL, NULL);
	locs_object(&p.locs, OBJECT_HEAP, NULL, &object);
	node = points_node(&p);
	next = points_node(&p);
	points_put(&p, node, locs_get(&p.locs, object, 4, 0));
	points_edge(&p, node, (struct points_edge){.kind = POINTS_ADD, .other = next, .bytes = 24});
	points_copy(&p, next, node);
	assert_true(points_solve(&p, NULL, NULL));
	points_set(&p, node, &n);
	assert_true(n < 40);
	/* Far away is one of them, between two elements is none. */
	for (int i = 0; i < 2; i++) {
		uint32_t at = locs_get(&p.locs, object, 4 + 24 * 1000 + 8 * i, 0);
		const uint32_t *set = points_set(&p, node, &n);
		bool meets = false;

		for (size_t k = 0; k < n; k++)
			meets |= locs_meet(&p.locs, set[k], 4, at, 4);
		assert_int_equal(meets, i == 0);
	}
	points_fini(&p);
}

/* Two locations meet when some of their bytes do, by trying all near ones. */
static bool meet_by_trying(const struct loc *a, uint64_t n, const struct loc *b, uint64_t m)
{
	for (int64_t i = -40; i <= 40; i++)
		for (int64_t k = -40; k <= 40; k++) {
			int64_t x = a->offset + i * (int64_t)a->stride;
			int64_t y = b->offset + k * (int64_t)b->stride;

			if (x < y + (int64_t)m && y < x + (int64_t)n)
				return true;
		}
	return false;
}

static void strides_meet_where_their_elements_do(void **state)
{
	struct rng r;
	struct locs l;
	uint32_t object;

	rng_seed(&r, 5);
	locs_init(&l);
	locs_object(&l, OBJECT_HEAP, NULL, &object);
	for (int round = 0; round < 20000; round++) {
		uint32_t a = locs_get(&l, object, (int64_t)rng_below(&r, 20),
				      (uint32_t)rng_below(&r, 9));
		uint32_t b = locs_get(&l, object, (int64_t)rng_below(&r, 20),
				      (uint32_t)rng_below(&r, 9));
		uint64_t n = 1 + rng_below(&r, 5), m = 1 + rng_below(&r, 5);

		assert_int_equal(locs_meet(&l, a, n, b, m),
				 meet_by_trying(&l.all.items[a], n, &l.all.items[b], m));
	}
	locs_fini(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_constraints_have_their_least_solution),
		cmocka_unit_test(walking_through_an_array_ends),
		cmocka_unit_test(strides_meet_where_their_elements_do),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
