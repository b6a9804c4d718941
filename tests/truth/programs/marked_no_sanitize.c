/*
 * expect: 1
 * drawn
 *
 * Attributes that keep other tools out do not keep this one out.
 */
#include <assert.h>
#include <pthread.h>

static int shared;

__attribute__((no_sanitize("thread"), no_sanitize("address"), disable_sanitizer_instrumentation))
static void *thread(void *arg)
{
	shared = 1;
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, thread, NULL);
	assert(shared == 0);
	pthread_join(t, NULL);
	return 0;
}
