/*
 * A thread changes the buffer while another writes it to a pipe.
 * expect: 1
 * match: race
 * options: --races=error
 */
#include <pthread.h>
#include <unistd.h>

static int ends[2];
static char buffer[2] = "ab";

static void *change(void *arg)
{
	buffer[0] = 'c';
	return arg;
}

int main(void)
{
	pthread_t t;

	if (pipe(ends) != 0)
		return 1;
	pthread_create(&t, NULL, change, NULL);
	(void)!write(ends[1], buffer, 2);
	pthread_join(t, NULL);
	return 0;
}
