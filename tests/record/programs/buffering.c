/* Store buffering: both threads read the old value only when stores are late. */
#include <assert.h>
#include <pthread.h>
static int x, y, a = -1, b = -1;
static void *first(void *arg) { x = 1; a = y; return arg; }
static void *second(void *arg) { y = 1; b = x; return arg; }
int main(void)
{
	pthread_t t[2];
	pthread_create(&t[0], 0, first, 0);
	pthread_create(&t[1], 0, second, 0);
	pthread_join(t[0], 0);
	pthread_join(t[1], 0);
	assert(a == 1 || b == 1);
	return 0;
}
