/* A thread calls through a pointer that is never set. */
#include <pthread.h>
static int (*volatile call)(int);
__attribute__((noinline)) static int caller(int n) { return 1 + call(n); }
static void *worker(void *arg) { return (void *)(long)caller(3); }
int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, worker, NULL);
	pthread_join(t, NULL);
	return 0;
}
