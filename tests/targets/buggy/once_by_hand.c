/*
 * Bug: the table is set up twice.
 * Cause: a home-made once: the flag is tested and set in two steps.
 * expect: assert
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int done, setups;

static void setup_once(void)
{
	pthread_mutex_lock(&lock);
	int d = done;
	pthread_mutex_unlock(&lock);
	if (d)
		return;
	pthread_mutex_lock(&lock);
	setups++;
	done = 1;
	pthread_mutex_unlock(&lock);
}

static void *user(void *arg)
{
	setup_once();
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, user, NULL);
	pthread_create(&b, NULL, user, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(setups == 1);
	return 0;
}
