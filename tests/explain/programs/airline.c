/* Seats are sold as long as there are some; the test and the sale are not one step. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int sold, max = 1, sellers = 2;

static void *sell(void *arg)
{
	if (sold < max)
		__atomic_fetch_add(&sold, 1, __ATOMIC_SEQ_CST);
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t t[16];

	sellers = argc > 1 ? atoi(argv[1]) : 2;
	max = sellers - 1;
	for (int i = 0; i < sellers; i++)
		pthread_create(&t[i], NULL, sell, NULL);
	for (int i = 0; i < sellers; i++)
		pthread_join(t[i], NULL);
	assert(sold <= max);
	return 0;
}
