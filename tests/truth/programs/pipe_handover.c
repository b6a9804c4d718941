/*
 * What is written to a pipe comes out in its order, and what happened before the write is seen
 * after the read: no failure, no race.
 * expect: 0
 * options: --races=error
 * drawn
 */
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int ends[2], data;

static void *produce(void *arg)
{
	for (char i = 0; i < 3; i++) {
		data = i;
		assert(write(ends[1], &i, 1) == 1);
	}
	close(ends[1]);
	return arg;
}

int main(void)
{
	pthread_t t;
	char c, expected = 0;

	assert(pipe(ends) == 0);
	pthread_create(&t, NULL, produce, NULL);
	while (read(ends[0], &c, 1) == 1)
		assert(c == expected++);
	assert(expected == 3 && data == 2);
	pthread_join(t, NULL);
	return 0;
}
