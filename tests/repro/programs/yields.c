/* Store buffering: asking who one is and giving the processor away wait for no store. */
#include <assert.h>
#include <pthread.h>
#include <sched.h>

static int x, y, seen[2];
static pthread_t who;

static void *first(void *arg)
{
	x = 1;
	who = pthread_self();
	seen[0] = y;
	return arg;
}

static void *second(void *arg)
{
	y = 1;
	sched_yield();
	seen[1] = x;
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, first, NULL);
	pthread_create(&b, NULL, second, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(seen[0] || seen[1]);
	return 0;
}
