/* Each thread goes on only when it saw the other's last step.  hunt: found 21 */
#include <assert.h>
#include <pthread.h>

static int a, b, c;

static void *thread0(void *arg)
{
	if (a == 0)
		a = 1;
	if (b == 1)
		c = 1;
	return arg;
}

static void *thread1(void *arg)
{
	if (a == 1)
		b = 1;
	if (c == 1)
		assert(b == 0);
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
