/* A thread reads through a pointer that is never set. */
#include <pthread.h>
#include <stdio.h>
int *volatile shared;
__attribute__((noinline)) static int reader(int n) { int s = 0; while (n--) s += *shared; return s; }
static void *worker(void *arg) { return (void *)(long)reader(3); }
int main(void)
{
	pthread_t t;
	puts("before");
	fflush(stdout);
	pthread_create(&t, NULL, worker, NULL);
	pthread_join(t, NULL);
	return 0;
}
