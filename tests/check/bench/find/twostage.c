/*
 * N - 1 writers fill two tables, each under its own lock, one reader looks at both.
 * Bug: the reader comes between the two stages of the first writer.
 * expect: assert
 * found: --strategy=mix --runs=20000
 * flags: -DN=2
 * trial: -DN=2 | SURW 8 RFF 8
 * trial: -DN=20 | SURW 6 RFF 22
 * trial: -DN=50 | SURW 20 RFF 35
 * trial: -DN=100 | SURW 454 RFF 56
 */
#include "../bench.h"

static int first_value, second_value;
static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;

static void *writer(void *arg)
{
	pthread_mutex_lock(&first);
	first_value = 1;
	pthread_mutex_unlock(&first);
	pthread_mutex_lock(&second);
	second_value = first_value + 1;
	pthread_mutex_unlock(&second);
	return arg;
}

static void *reader(void *arg)
{
	int one, two;

	pthread_mutex_lock(&first);
	one = first_value;
	pthread_mutex_unlock(&first);
	if (one == 0)
		return arg;
	pthread_mutex_lock(&second);
	two = second_value;
	pthread_mutex_unlock(&second);
	assert(two == one + 1);
	return arg;
}

int main(void)
{
	for (int i = 1; i < N; i++)
		start(writer, i);
	start(reader, 0);
	join_all();
	return 0;
}
