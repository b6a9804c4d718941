/* COUNT decides by being even, MODE by its first letters, how often threads lock. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sum, step = 1;

static void add(void)
{
	pthread_mutex_lock(&lock);
	sum += step;
	pthread_mutex_unlock(&lock);
}

static void *work(void *arg)
{
	const char *count = getenv("COUNT"), *mode = getenv("MODE");

	step = count ? atoi(count) : 1;
	add();
	if (step % 2 == 0)
		add();
	if (mode && !strcmp(mode, "slow"))
		add();
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, work, NULL);
	pthread_join(t, NULL);
	printf("%d\n", sum);
	return 0;
}
