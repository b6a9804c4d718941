/*
 * N threads hand a number round, each reads its neighbour.
 * Bug: they do not all have the same number at the end.
 * expect: assert
 * found: --strategy=mix --runs=20000
 * flags: -DN=4
 * trial: -DN=4 |
 * trial: -DN=8 |
 */
#include "../bench.h"

static int token[N + 1];

static void *member(void *arg)
{
	intptr_t me = (intptr_t)arg;

	token[me] = (token[(me + N - 1) % N] + 1) % N;
	return arg;
}

static void *judge(void *arg)
{
	int same = 1;

	for (int i = 1; i < N; i++)
		same &= token[i] == (token[i - 1] + 1) % N || token[i] <= 1;
	assert(!(token[0] == 1 && token[1] == 2 % N && same && token[2] == 0));
	return arg;
}

int main(void)
{
	for (intptr_t i = 0; i < N; i++)
		start(member, i);
	start(judge, 0);
	join_all();
	return 0;
}
