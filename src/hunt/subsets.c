#include "hunt/subsets.h"

#include <assert.h>

struct subsets {
	size_t count, size;
	size_t chosen[HUNT_SUBSET_MAX];
	hunt_subset_fn each;
	void *arg;
};

/* The largest sum that `left' more ranks, from `from' on, can have. */
static size_t most(const struct subsets *u, size_t from, size_t left)
{
	return u->count - from < left ? 0 : left * u->count - left * (left - 1) / 2;
}

/* Sets that go on with ranks from `from' on and have this sum. */
static bool choose(struct subsets *u, size_t n, size_t from, size_t sum)
{
	if (n == u->size)
		return sum != 0 || u->each(u->arg, u->chosen, n);
	for (size_t rank = from; rank < u->count && rank + 1 <= sum; rank++) {
		if (most(u, rank, u->size - n) < sum)
			break;
		u->chosen[n] = rank;
		if (!choose(u, n + 1, rank + 1, sum - (rank + 1)))
			return false;
	}
	return true;
}

bool hunt_subsets(size_t count, hunt_subset_fn each, void *arg)
{
	struct subsets u = {.count = count, .each = each, .arg = arg};

	assert(count <= HUNT_SUBSET_MAX);
	for (u.size = 1; u.size <= count; u.size++)
		for (size_t sum = 1; sum <= count * (count + 1) / 2; sum++)
			if (!choose(&u, 0, 0, sum))
				return false;
	return true;
}
