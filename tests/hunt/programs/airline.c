/* Sellers test, then count; the stop flag comes late.  hunt: found 28 */
#include <assert.h>
#include <pthread.h>

#define SEATS 2
#define SELLERS 3

static int sold, stop;

static void *sell(void *arg)
{
	if (!stop) {
		sold++;
		if (sold >= SEATS)
			stop = 1;
	}
	return arg;
}

int main(void)
{
	pthread_t t[SELLERS];

	for (int i = 0; i < SELLERS; i++)
		pthread_create(&t[i], NULL, sell, NULL);
	for (int i = 0; i < SELLERS; i++)
		pthread_join(t[i], NULL);
	assert(sold <= SEATS);
	return 0;
}
