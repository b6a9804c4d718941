/*
 * Threads sort parts of an array and one merges when a count says that all are done; N parts.
 * Bug: the count is raised too early.
 * expect: assert
 * found: --strategy=mix --runs=20000
 * flags: -DN=2
 * trial: -DN=2 |
 * trial: -DN=8 | SURW 3048 RFF 322
 */
#include "../bench.h"

static int values[2 * N];
static _Atomic int finished;

static void *sort_part(void *arg)
{
	int *part = &values[2 * (intptr_t)arg], swap = part[0];

	finished++;
	if (part[0] > part[1]) {
		part[0] = part[1];
		part[1] = swap;
	}
	return arg;
}

static void *merge(void *arg)
{
	if (finished == N)
		for (int i = 0; i < N; i++)
			assert(values[2 * i] <= values[2 * i + 1]);
	return arg;
}

int main(void)
{
	for (int i = 0; i < 2 * N; i++)
		values[i] = 2 * N - i;
	for (intptr_t i = 0; i < N; i++)
		start(sort_part, i);
	start(merge, 0);
	join_all();
	return 0;
}
