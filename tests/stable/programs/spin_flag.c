/* det: a loop that waits for a variable; the other thread needs turns before it sets it. */
#include <pthread.h>

#include "check.h"

static volatile int flag;
static pthread_mutex_t mu = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *unused)
{
	(void)unused;
	for (int i = 0; i < 3; i++) {
		pthread_mutex_lock(&mu);
		pthread_mutex_unlock(&mu);
	}
	flag = 1;
	return NULL;
}

int main(void)
{
	pthread_t t;
	EXPECT(pthread_create(&t, NULL, work, NULL) == 0);
	while (!flag)
		continue;
	EXPECT(pthread_join(t, NULL) == 0);
	return 0;
}
