/* Vector 12.4: two threads sleep 5 and 3 turns. */
#include <pthread.h>
#include <time.h>

static void *work(void *turns)
{
	struct timespec length = {0, 3000 * (long)turns};
	nanosleep(&length, NULL);
	return NULL;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, work, (void *)5);
	pthread_create(&b, NULL, work, (void *)3);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
