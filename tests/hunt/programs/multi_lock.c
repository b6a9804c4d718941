/* State changes in sections, decisions between them.  hunt: found 31 */
#include <assert.h>
#include <pthread.h>

static int state, step;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *thread0(void *arg)
{
	int s;

	pthread_mutex_lock(&m);
	s = state;
	if (s == 0)
		state = 1;
	pthread_mutex_unlock(&m);
	pthread_mutex_lock(&m);
	if (state == 2)
		step = 1;
	pthread_mutex_unlock(&m);
	return arg;
}

static void *thread1(void *arg)
{
	pthread_mutex_lock(&m);
	if (state == 1)
		state = 2;
	pthread_mutex_unlock(&m);
	pthread_mutex_lock(&m);
	assert(step == 0);
	pthread_mutex_unlock(&m);
	return arg;
}

int main(void)
{
	pthread_t t[2];

	pthread_create(&t[0], NULL, thread0, NULL);
	pthread_create(&t[1], NULL, thread1, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
