/* exit runs handlers newest first, also those that handlers register. */
#include <pthread.h>

#include "check.h"

static int step;

static void last(void)
{
	CHECK(step++ == 3);
	SUCCESS();
}

static void nested(void)
{
	CHECK(step++ == 2);
}

static void middle(int status, void *arg)
{
	CHECK(status == 0 && arg == &step);
	CHECK(step++ == 1);
	CHECK(atexit(nested) == 0);
}

static void first(void)
{
	CHECK(step++ == 0);
}

__attribute__((constructor)) static void before_main(void)
{
	CHECK(atexit(last) == 0);
}

static void *leave(void *arg)
{
	exit(0);
}

int main(void)
{
	pthread_t t;

	CHECK(on_exit(middle, &step) == 0);
	CHECK(atexit(first) == 0);
	CHECK(pthread_create(&t, NULL, leave, NULL) == 0);
	pthread_join(t, NULL);
	return 1;
}
