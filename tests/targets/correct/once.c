/*
 * pthread_once: one set-up, finished before anybody goes on.
 * expect: clean
 */
#include <assert.h>
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int setups, table;

static void setup(void)
{
	setups++;
	table = 17;
}

static void *user(void *arg)
{
	pthread_once(&once, setup);
	assert(table == 17 && setups == 1);
	return arg;
}

int main(void)
{
	pthread_t t[3];

	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, user, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	return 0;
}
