/* nondet: a performance-critical section around an isolated lock; -DVIOLATE uses it outside too. */
#include <pthread.h>

#include "check.h"
#include "heddle/stable.h"

static pthread_mutex_t inner = PTHREAD_MUTEX_INITIALIZER, outer = PTHREAD_MUTEX_INITIALIZER;
static int inside, outside;

static void *work(void *unused)
{
	(void)unused;
	for (int i = 0; i < 2000; i++) {
		pcs_enter();
		pcs_enter();
		pthread_mutex_lock(&inner);
		inside++;
		pthread_mutex_unlock(&inner);
		pcs_exit();
		pcs_exit();
		if (i % 16 == 0) {
			pthread_mutex_lock(&outer);
			outside++;
			pthread_mutex_unlock(&outer);
#ifdef VIOLATE
			pthread_mutex_lock(&inner);
			inside++;
			pthread_mutex_unlock(&inner);
#endif
		}
	}
	return NULL;
}

int main(void)
{
	pthread_t t[3];
	int violations = 0;
#ifdef VIOLATE
	violations = 3 * 125;
#endif
	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, work, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	EXPECT(inside == 3 * 2000 + violations && outside == 3 * 125);
	return 0;
}
