/*
 * expect: 4
 * match: bump
 *
 * A naked function has no body that could be watched: its calls are named.
 */
#include <pthread.h>

int shared;

__attribute__((naked, noinline)) static void bump(void)
{
	__asm__("incl shared(%rip)\n\tret");
}

static void *thread(void *arg)
{
	bump();
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, thread, NULL);
	pthread_join(t, NULL);
	return 0;
}
