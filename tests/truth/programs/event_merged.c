/*
 * Two notifications can become one: who counts reads of an eventfd waits in vain.
 * expect: 1
 * match: ^deadlock
 */
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

	event = eventfd(0, 0);
	pthread_create(&t, NULL, notify, NULL);
	pthread_create(&u, NULL, notify, NULL);
	eventfd_read(event, &value);
	eventfd_read(event, &value);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	return 0;
}
