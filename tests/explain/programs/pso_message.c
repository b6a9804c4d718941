/* The flag overtakes the message, of two parts, under PSO. */
#include <assert.h>
#include <pthread.h>

static int message[2];
static volatile int ready;

static void *send(void *arg)
{
	message[0] = 10;
	message[1] = 20;
	ready = 1;
	return arg;
}

static void *receive(void *arg)
{
	if (ready)
		assert(message[0] + message[1] == 30);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, send, NULL);
	pthread_create(&b, NULL, receive, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
