/*
 * Two requests append to a log buffer: the index is read, used and written back without a lock.
 */
#include "../program.h"

static int handle, count;

static void *request_a(void *arg)
{
	count = count + 10;
	return arg;
}

static void *request_b(void *arg)
{
	count = count + 20;
	return arg;
}

int main(void)
{
	pthread_t t[2];

	handle = 1;
	pthread_create(&t[0], NULL, request_a, NULL);
	pthread_create(&t[1], NULL, request_b, NULL);
	join_all(t, 2);
	return count == 30 ? 0 : 1;
}
