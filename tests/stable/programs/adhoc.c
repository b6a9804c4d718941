/* det: ad hoc synchronisation in its deterministic form, and a polling loop with yields. */
#include <pthread.h>

#include "check.h"
#include "heddle/stable.h"

static volatile int flag;
static pthread_mutex_t mu = PTHREAD_MUTEX_INITIALIZER;
static int value;

static void *work(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&mu);
	value = 7;
	pthread_mutex_unlock(&mu);
	heddle_adhoc_set(&flag, 1);
	return NULL;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, work, NULL);
	heddle_adhoc_wait(&flag, 1);
	EXPECT(value == 7);
	pthread_join(t, NULL);
	return 0;
}
