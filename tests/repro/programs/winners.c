/*
 * Who comes first, round by round: fails only when the winners of all rounds are those of the
 * recorded run, which no drawn schedule will hit.  Argument: the number they make; 0 prints it.
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define ROUNDS 32

static int winner[ROUNDS], won[2];
static pthread_barrier_t round_begins;

static void *race(void *arg)
{
	int me = (int)(long)arg;

	for (int i = 0; i < ROUNDS; i++) {
		pthread_barrier_wait(&round_begins);
		if (__sync_bool_compare_and_swap(&winner[i], 0, me))
			won[me - 1]++;
	}
	return NULL;
}

int main(int argc, char **argv)
{
	unsigned long all = 0, want = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
	pthread_t t[2];

	pthread_barrier_init(&round_begins, NULL, 2);
	for (long i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, race, (void *)(i + 1));
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	for (int i = 0; i < ROUNDS; i++)
		all = all * 2 + (unsigned)winner[i] - 1;
	if (want == 0)
		printf("%lu\n", all);
	assert(want == 0 || all != want);
	return 0;
}
