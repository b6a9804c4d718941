/* Sellers look how many seats are left and sell half of them; the stop flag comes late.  hunt: found 33 */
#include <assert.h>
#include <pthread.h>

#define SEATS 3
#define SELLERS 2

static int sold, stop;

static void *sell(void *arg)
{
	int left;

	if (stop)
		return arg;
	left = SEATS - sold;
	/* Others may sell in between. */
	sold += (left + 1) / 2;
	if (sold >= SEATS)
		stop = 1;
	return arg;
}

int main(void)
{
	pthread_t t[SELLERS];

	for (int i = 0; i < SELLERS; i++)
		pthread_create(&t[i], NULL, sell, NULL);
	for (int i = 0; i < SELLERS; i++)
		pthread_join(t[i], NULL);
	/* What was sold twice is not there. */
	assert(sold <= SEATS);
	return 0;
}
