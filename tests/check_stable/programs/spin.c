/* A section that waits for a variable which nobody sets: no progress. */
#include <pthread.h>

#include "heddle/stable.h"

static volatile int never;

static void *work(void *arg)
{
	pcs_enter();
	while (!never)
		continue;
	pcs_exit();
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, work, NULL);
	pthread_join(t, NULL);
	return 0;
}
