/* A pointer is followed to where another thread has been sent.  hunt: found 12 */
#include <assert.h>
#include <pthread.h>

static int cells[2], *p = &cells[0], go;

static void *thread0(void *arg)
{
	if (go)
		p = &cells[1];
	if (cells[1] == 1)
		assert(!go);
	return arg;
}

static void *thread1(void *arg)
{
	go = 1;
	if (p == &cells[1])
		*p = 1;
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
