/*
 * A thread-local variable is new in every thread, also in one that is begun after others have ended.
 *
 * expect: 0
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int numbers;
static __thread int own = 7;

static void *thread(void *arg)
{
	assert(own == 7);
	pthread_mutex_lock(&lock);
	own = 10 + numbers++;
	pthread_mutex_unlock(&lock);
	assert(own >= 10 && own < 13);
	return arg;
}

int main(void)
{
	pthread_t t[3];

	pthread_create(&t[0], NULL, thread, NULL);
	pthread_create(&t[1], NULL, thread, NULL);
	pthread_join(t[0], NULL);
	pthread_create(&t[2], NULL, thread, NULL);
	pthread_join(t[1], NULL);
	pthread_join(t[2], NULL);
	assert(numbers == 3 && own == 7);
	return 0;
}
