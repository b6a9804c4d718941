/*
 * One block after another at the same address: what happened to the first has nothing to do with the
 * second, though each is freed and cleared as a whole.
 *
 * expect nothing
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct item {
	long a, b;
};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long total;

static void *work(void *arg)
{
	for (int i = 0; i < 2; i++) {
		struct item *x = malloc(sizeof(*x));

		memset(x, 0, sizeof(*x));
		x->a = i;
		x->b = x->a + 1;
		pthread_mutex_lock(&lock);
		total += x->b;
		pthread_mutex_unlock(&lock);
		free(x);
	}
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, work, NULL);
	work(NULL);
	pthread_join(t, NULL);
	return total == 6 ? 0 : 1;
}
