/* A lot of recorded branches, then an assertion that fails. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static volatile long n;
static long rounds = 2000000;
static void *worker(void *arg) { for (long i = 0; i < rounds; i++) { if (n & 1) n++; else n += 3; } return 0; }
int main(int argc, char **argv)
{
	pthread_t t[3];
	if (argc > 1) rounds = atol(argv[1]);
	for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, worker, 0);
	for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
	puts("done");
	fflush(stdout);
	assert(n < 0);
	return 0;
}
