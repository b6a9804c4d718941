/*
 * An eventfd adds up what is written to it until somebody reads: 1, 2 or 3 in one read.
 * expect: 0
 */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

static int event;

static void *add(void *arg)
{
	assert(eventfd_write(event, arg ? 2 : 1) == 0);
	return arg;
}

int main(void)
{
	pthread_t t, u;
	eventfd_t sum = 0, value;

	event = eventfd(0, 0);
	assert(event >= 0);
	pthread_create(&t, NULL, add, NULL);
	pthread_create(&u, NULL, add, &event);
	while (sum < 3) {
		assert(read(event, &value, sizeof(value)) == sizeof(value));
		assert(value >= 1 && value <= 3);
		sum += value;
	}
	assert(sum == 3);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	return 0;
}
