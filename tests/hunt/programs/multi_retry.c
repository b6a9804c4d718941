/* A retry sees the value that the other wrote because of the first try.  hunt: found 12 */
#include <assert.h>
#include <pthread.h>

static int req, ack;

static void *thread0(void *arg)
{
	for (int i = 1; i <= 2; i++) {
		req = i;
		if (ack == 2)
			assert(i == 1);
	}
	req = 0;
	return arg;
}

static void *thread1(void *arg)
{
	for (int i = 0; i < 2; i++)
		if (req > 0)
			ack = ack + 1;
	return arg;
}

int main(void)
{
	pthread_t t[2];

	pthread_create(&t[0], NULL, thread0, NULL);
	pthread_create(&t[1], NULL, thread1, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
