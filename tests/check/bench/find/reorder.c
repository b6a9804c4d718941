/*
 * N - 1 setters of two flags and one checker.
 * Bug: the checker sees the first flag and not the second.
 * expect: assert
 * found: --strategy=mix --runs=20000
 * flags: -DN=3
 * trial: -DN=3 | SURW 7 RFF 6.7
 * trial: -DN=4 |
 * trial: -DN=5 |
 * trial: -DN=10 | SURW 17 RFF 5.8
 * trial: -DN=20 |
 * trial: -DN=50 |
 * trial: -DN=100 | SURW 194 RFF 5.8
 */
#include "../bench.h"

static int a, b;

static void *setter(void *arg)
{
	a = 1;
	b = -1;
	return arg;
}

static void *checker(void *arg)
{
	int first = a, second = b;

	assert((first == 0 && second == 0) || (first == 1 && second == -1) || first == 0);
	return arg;
}

int main(void)
{
	for (int i = 1; i < N; i++)
		start(setter, i);
	start(checker, 0);
	join_all();
	return 0;
}
