/* What a thread does is drawn: a search over schedules is one only when that stays the same. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/random.h>

static atomic_int x;

static void *work(void *arg)
{
	unsigned n;

	if (getrandom(&n, sizeof(n), 0) != sizeof(n))
		abort();
	for (n = n % 2 + 1; n > 0; n--)
		x++;
	return NULL;
}

int main(void)
{
	pthread_t t;
#ifdef UNLUCKY
	unsigned char n;

	/* For one number in four, in every schedule or in none. */
	if (getrandom(&n, sizeof(n), 0) != sizeof(n) || n % 4 == 0)
		abort();
#endif

	pthread_create(&t, NULL, work, NULL);
	work(NULL);
	pthread_join(t, NULL);
	return 0;
}
