/* Two threads over shared memory for as many rounds as the argument says. */
#include <pthread.h>
#include <stdlib.h>

static int cells[64], rounds;

static void *work(void *arg)
{
	for (int i = 0; i < rounds; i++)
		cells[i % 64] += i;
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t a, b;

	rounds = argc > 1 ? atoi(argv[1]) : 1000;
	pthread_create(&a, NULL, work, NULL);
	pthread_create(&b, NULL, work, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
