/* Vector 12.8: a soft barrier of three threads with a timeout of two rounds; two arrive. */
#include <pthread.h>

#include "heddle/stable.h"

static void *work(void *unused)
{
	(void)unused;
	soba_wait();
	return NULL;
}

int main(void)
{
	pthread_t a, b;
	soba_init(3, NULL, 2);
	pthread_create(&a, NULL, work, NULL);
	pthread_create(&b, NULL, work, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
