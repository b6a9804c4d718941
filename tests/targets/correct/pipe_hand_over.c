/*
 * Bytes through a pipe: a blocking read waits for the other thread's write.
 * expect: clean
 */
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int ends[2];

static void *writer(void *arg)
{
	assert(write(ends[1], "a", 1) == 1);
	assert(write(ends[1], "b", 1) == 1);
	close(ends[1]);
	return arg;
}

int main(void)
{
	pthread_t t;
	char got[2];

	assert(pipe(ends) == 0);
	pthread_create(&t, NULL, writer, NULL);
	assert(read(ends[0], &got[0], 1) == 1 && got[0] == 'a');
	assert(read(ends[0], &got[1], 1) == 1 && got[1] == 'b');
	assert(read(ends[0], &got[0], 1) == 0);
	pthread_join(t, NULL);
	close(ends[0]);
	return 0;
}
