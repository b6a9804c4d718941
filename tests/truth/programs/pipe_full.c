/*
 * A pipe holds 64 KiB: two threads that fill each other's before they read wait for ever.
 * expect: 1
 * match: ^deadlock
 */
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

#define PIECE 4096
#define PIECES 17

static int there[2], back[2];
static char block[PIECE];

static void talk(int out, int in)
{
	char got[PIECE];

	for (int i = 0; i < PIECES; i++)
		assert(write(out, block, PIECE) == PIECE);
	for (int i = 0; i < PIECES; i++)
		assert(read(in, got, PIECE) == PIECE);
}

static void *other(void *arg)
{
	talk(back[1], there[0]);
	return arg;
}

int main(void)
{
	pthread_t t;

	assert(pipe(there) == 0 && pipe(back) == 0);
	pthread_create(&t, NULL, other, NULL);
	talk(there[1], back[0]);
	pthread_join(t, NULL);
	return 0;
}
