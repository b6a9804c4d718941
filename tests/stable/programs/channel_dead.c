/* A pipe that nobody will write. */
#include <pthread.h>
#include <unistd.h>

static int line[2];

static void *reads(void *unused)
{
	char c;

	(void)unused;
	return read(line[0], &c, 1) == 1 ? line : NULL;
}

int main(void)
{
	pthread_t t;

	if (pipe(line))
		return 99;
	pthread_create(&t, NULL, reads, NULL);
	pthread_join(t, NULL);
	return 0;
}
