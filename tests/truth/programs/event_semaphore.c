/*
 * With EFD_SEMAPHORE each read takes one, so two notifications are two.
 * expect: 0
 */
#include <assert.h>
#include <pthread.h>
#include <sys/eventfd.h>

static int event;

static void *notify(void *arg)
{
	eventfd_write(event, 1);
	return arg;
}

int main(void)
{
	pthread_t t, u;
	eventfd_t value;

	event = eventfd(0, EFD_SEMAPHORE);
	pthread_create(&t, NULL, notify, NULL);
	pthread_create(&u, NULL, notify, NULL);
	for (int i = 0; i < 2; i++)
		assert(eventfd_read(event, &value) == 0 && value == 1);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	return 0;
}
