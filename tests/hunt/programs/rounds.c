/* Rounds under one lock whose branch goes by the rounds of both: many questions, all answered no.  hunt: safe */
#include <assert.h>
#include <pthread.h>

#define ROUNDS 4

static int count, odd;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg)
{
	for (int i = 0; i < ROUNDS; i++) {
		pthread_mutex_lock(&m);
		count++;
		if (count % 5 == 3)
			odd++;
		pthread_mutex_unlock(&m);
	}
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, work, NULL);
	pthread_create(&b, NULL, work, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(count == 2 * ROUNDS && odd <= count);
	return 0;
}
