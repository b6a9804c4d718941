/*
 * ctime uses the place where localtime has left its answer.
 *
 * expect: 1
 * match: assertion failed
 */
#include <assert.h>
#include <pthread.h>
#include <time.h>

static void *logger(void *arg)
{
	time_t day = 86400 * 400;

	ctime(&day);
	return arg;
}

int main(void)
{
	time_t start = 0;
	struct tm *tm;
	pthread_t t;

	pthread_create(&t, NULL, logger, NULL);
	tm = gmtime(&start);
	assert(tm->tm_year == 70);
	pthread_join(t, NULL);
	return 0;
}
