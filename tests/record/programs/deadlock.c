/* Two locks in two orders. */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t both;
static void *first(void *arg) { pthread_mutex_lock(&a); pthread_barrier_wait(&both); pthread_mutex_lock(&b); return arg; }
static void *second(void *arg) { pthread_mutex_lock(&b); pthread_barrier_wait(&both); pthread_mutex_lock(&a); return arg; }
int main(int argc, char **argv)
{
	pthread_t t[2];
	pthread_barrier_init(&both, NULL, 2);
	pthread_create(&t[0], 0, first, 0);
	pthread_create(&t[1], 0, second, 0);
	if (argc > 1) for (;;) sleep(1);
	pthread_join(t[0], 0);
	pthread_join(t[1], 0);
	return 0;
}
