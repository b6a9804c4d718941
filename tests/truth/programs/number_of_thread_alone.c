/*
 * One thread begins all others: their numbers are known.
 *
 * expect: 0
 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

static int numbers[2];

static void *asks(void *arg)
{
	*(int *)arg = gettid();
	assert(gettid() == (int)syscall(SYS_gettid));
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, asks, &numbers[0]);
	pthread_create(&b, NULL, asks, &numbers[1]);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(numbers[0] != numbers[1] && numbers[0] != getpid());
	return 0;
}
