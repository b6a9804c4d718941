/* heddle_assert in a program that runs by itself. */
#include <heddle/heddle.h>
#include <pthread.h>
int x;
static void *worker(void *arg) { x++; return arg; }
int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, worker, NULL);
	pthread_join(t, NULL);
	heddle_assert(x == 2);
	return 0;
}
