/* Records without end, until somebody kills it; says when two of its threads have begun to. */
#include <pthread.h>
#include <stdio.h>

#define WARM 100000

static volatile long n;
static int going;

static void turn(void)
{
	if (n % 7 < 3)
		n++;
	else
		n += 2;
}

static void *worker(void *arg)
{
	for (int i = 0; i < WARM; i++)
		turn();
	__atomic_add_fetch(&going, 1, __ATOMIC_SEQ_CST);
	for (;;)
		turn();
	return arg;
}

int main(void)
{
	pthread_t t[3];

	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], 0, worker, 0);
	while (__atomic_load_n(&going, __ATOMIC_SEQ_CST) < 2)
		turn();
	puts("started");
	fflush(stdout);
	worker(0);
	return 0;
}
