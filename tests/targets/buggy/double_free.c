/*
 * Bug: a connection buffer is freed twice.
 * Cause: two threads test the pointer before either clears it.
 * expect: double-free
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static char *_Atomic buffer;

static void *closer(void *arg)
{
	char *b = atomic_load(&buffer);

	if (b != NULL) {
		atomic_store(&buffer, NULL);
		free(b);
	}
	return arg;
}

int main(void)
{
	pthread_t a, b;

	atomic_store(&buffer, malloc(64));
	pthread_create(&a, NULL, closer, NULL);
	pthread_create(&b, NULL, closer, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
