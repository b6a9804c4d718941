/*
 * A pointer is checked, cleared by another thread, and used, after N steps of other work.
 * Bug: null pointer.
 * expect: signal
 * found: --strategy=mix --runs=20000
 * flags: -DN=4
 * trial: -DN=4 |
 * trial: -DN=60 |
 */
#include "../bench.h"

static int cell = 1, noise, *_Atomic shared = &cell;

static void *user(void *arg)
{
	for (int i = 0; i < N; i++)
		noise++;
	if (shared)
		*shared += 1;
	for (int i = 0; i < N; i++)
		noise++;
	return arg;
}

static void *clearer(void *arg)
{
	shared = NULL;
	return arg;
}

int main(void)
{
	start(user, 0);
	start(clearer, 0);
	join_all();
	return 0;
}
