/* Both must miss each other's flag and then see it.  hunt: found 23 */
#include <assert.h>
#include <pthread.h>

static int x, y, seen;

static void *thread0(void *arg)
{
	if (y == 0)
		seen++;
	x = 1;
	if (y == 1)
		seen++;
	return arg;
}

static void *thread1(void *arg)
{
	if (x == 0)
		seen++;
	y = 1;
	if (x == 1 && seen == 3)
		assert(!"both");
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
