/* Two nested conditions behind each other's writes (the example of MCR).  hunt: found 27 */
#include <assert.h>
#include <pthread.h>

static int x, y;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *first(void *arg)
{
	for (int i = 0; i < 2; i++) {
		pthread_mutex_lock(&m);
		x = 0;
		pthread_mutex_unlock(&m);
		if (x > 0) {
			y++;
			x = 2;
		}
	}
	return arg;
}

static void *second(void *arg)
{
	for (int i = 0; i < 2; i++) {
		if (x > 1) {
			if (y == 3)
				assert(!"reached");
			else
				y = 2;
		}
	}
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, first, NULL);
	pthread_create(&b, NULL, second, NULL);
	for (int i = 0; i < 2; i++) {
		pthread_mutex_lock(&m);
		x = 1;
		y = 1;
		pthread_mutex_unlock(&m);
	}
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
