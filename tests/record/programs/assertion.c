/* A counter that loses updates, and an assertion that cannot hold. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
int count;
static void *worker(void *arg) { for (int i = 0; i < 500; i++) if (count >= 0) count++; return arg; }
int main(void)
{
	pthread_t t[3];
	for (int i = 0; i < 3; i++) pthread_create(&t[i], NULL, worker, NULL);
	for (int i = 0; i < 3; i++) pthread_join(t[i], NULL);
	puts("counted");
	fflush(stdout);
	assert(count == 0);
	return 0;
}
