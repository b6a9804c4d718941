/*
 * N threads hand a number round; each adds one to what its neighbour has.
 * Bug: nobody thought of it going all the way in one round.
 * expect: assert
 * found: --strategy=mix --runs=20000
 * flags: -DN=4
 * trial: -DN=4 | SURW 8 RFF 5
 * trial: -DN=6 |
 */
#include "../bench.h"

static _Atomic int token[N];

static void *member(void *arg)
{
	intptr_t me = (intptr_t)arg;

	token[me] = token[(me + N - 1) % N] + 1;
	return arg;
}

int main(void)
{
	/* The last one only hands it to the first. */
	for (intptr_t i = 0; i < N - 1; i++)
		start(member, i);
	join_all();
	assert(token[N - 2] < N - 1);
	return 0;
}
