/* Values travel through both threads before they are wrong.  hunt: found 13 */
#include <assert.h>
#include <pthread.h>

static int v, w;

static void *thread0(void *arg)
{
	v = 2;
	if (w > 2)
		v = w + 1;
	if (w == 6)
		assert(v != 4);
	return arg;
}

static void *thread1(void *arg)
{
	if (v > 0)
		w = v + 1;
	if (v == 4)
		w = 6;
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
