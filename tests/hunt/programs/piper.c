/* A bounded buffer whose takers test with `if' around the wait.  hunt: found 24 */
#include <assert.h>
#include <pthread.h>

static int slots;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void *put(void *arg)
{
	pthread_mutex_lock(&m);
	slots++;
	pthread_cond_signal(&c);
	pthread_mutex_unlock(&m);
	return arg;
}

static void *take(void *arg)
{
	pthread_mutex_lock(&m);
	if (slots == 0) {
		pthread_cond_wait(&c, &m);
		/* Another taker may have come first. */
		assert(slots > 0);
	}
	slots--;
	pthread_mutex_unlock(&m);
	return arg;
}

int main(void)
{
	pthread_t t[4];

	for (int i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, i < 2 ? put : take, NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	return 0;
}
