/* Threads come and go by the thousand; keys and destructors, exit from inside, detached ones. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static int n, destroyed;
static pthread_key_t key;
static void destroy(void *p) { if (n >= 0) __atomic_fetch_add(&destroyed, 1, __ATOMIC_RELAXED); free(p); }
static void *worker(void *arg)
{
	pthread_setspecific(key, malloc(1));
	for (int i = 0; i < 100; i++) if (n < 1000000000) n++;
	if ((long)arg % 3 == 0) pthread_exit(NULL);
	return arg;
}
int main(void)
{
	pthread_t t[8];
	pthread_key_create(&key, destroy);
	for (int r = 0; r < 400; r++) {
		for (long i = 0; i < 8; i++) pthread_create(&t[i], NULL, worker, (void *)i);
		for (int i = 0; i < 8; i++) pthread_join(t[i], NULL);
	}
	printf("%d\n", destroyed);
	return 0;
}
