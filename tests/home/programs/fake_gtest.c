/*
 * Tests as GoogleTest lists and runs them, without GoogleTest: --gtest_list_tests,
 * --gtest_filter=NAME. Adds.Up is correct, Adds.Wrong loses an update, Locks.Cross deadlocks.
 */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int n;

static void *adds(void *arg)
{
	pthread_mutex_lock(&a);
	n++;
	pthread_mutex_unlock(&a);
	return arg;
}

static void *adds_wrong(void *arg)
{
	int was;

	pthread_mutex_lock(&a);
	was = n;
	pthread_mutex_unlock(&a);
	pthread_mutex_lock(&a);
	n = was + 1;
	pthread_mutex_unlock(&a);
	return arg;
}

static void *crosses(void *arg)
{
	pthread_mutex_t *first = arg ? &a : &b, *second = arg ? &b : &a;

	pthread_mutex_lock(first);
	pthread_mutex_lock(second);
	n++;
	pthread_mutex_unlock(second);
	pthread_mutex_unlock(first);
	return arg;
}

static int run(void *(*body)(void *))
{
	pthread_t threads[2];

	pthread_create(&threads[0], NULL, body, NULL);
	pthread_create(&threads[1], NULL, body, &n);
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
	return n == 2 ? 0 : 1;
}

int main(int argc, char **argv)
{
	const char *test = "";

	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--gtest_list_tests") == 0) {
			puts("Adds.\n  Up\n  Wrong  # GetParam() = 3\n  DISABLED_Off\n"
			     "Locks.  # TypeParam = int\n  Cross");
			return 0;
		}
		if (strncmp(argv[i], "--gtest_filter=", 15) == 0)
			test = argv[i] + 15;
	}
	if (strcmp(test, "Adds.Up") == 0)
		return run(adds);
	if (strcmp(test, "Adds.Wrong") == 0)
		return run(adds_wrong);
	if (strcmp(test, "Locks.Cross") == 0)
		return run(crosses);
	return 2;
}
