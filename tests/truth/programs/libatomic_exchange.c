/*
 * expect: 0
 * cc: -latomic -mcx16
 * options: --races=error
 *
 * Exchanges of 12 and 16 bytes: each value is handed out once; atomics do not race.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct three {
	int a, b, c;
};

static _Atomic struct three odd;
static _Atomic __int128 even;
static int seen[2];

static void *take(void *arg)
{
	struct three v = {1, 2, 3};

	v = atomic_exchange(&odd, v);
	seen[arg != NULL] = v.a + v.b + v.c + (int)atomic_exchange(&even, 7);
	return NULL;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, take, &t);
	take(NULL);
	pthread_join(t, NULL);
	assert(seen[0] + seen[1] == 6 + 7);
	return 0;
}
