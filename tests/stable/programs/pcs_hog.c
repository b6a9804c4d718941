/* nondet: a thread in the schedule gets a lock that another takes again and again in sections. */
#include <pthread.h>

#include "check.h"
#include "heddle/stable.h"

static pthread_mutex_t mu = PTHREAD_MUTEX_INITIALIZER;
static int wanted = 20;

static void *hog(void *unused)
{
	(void)unused;
	while (__atomic_load_n(&wanted, __ATOMIC_SEQ_CST) > 0) {
		heddle_pcs_enter();
		pthread_mutex_lock(&mu);
		for (volatile int i = 0; i < 2000; i++)
			continue;
		pthread_mutex_unlock(&mu);
		heddle_pcs_exit();
	}
	return NULL;
}

int main(void)
{
	pthread_t t;
	EXPECT(pthread_create(&t, NULL, hog, NULL) == 0);
	while (wanted > 0) {
		pthread_mutex_lock(&mu);
		__atomic_fetch_sub(&wanted, 1, __ATOMIC_SEQ_CST);
		pthread_mutex_unlock(&mu);
	}
	pthread_join(t, NULL);
	return 0;
}
