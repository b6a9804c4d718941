/* Who comes first initialises, by compare and swap.  hunt: safe */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int state;
static int made;

static void *make(void *arg)
{
	int none = 0;

	if (atomic_compare_exchange_strong(&state, &none, 1)) {
		made++;
		assert(made == 1);
	} else {
		assert(none == 1);
	}
	return arg;
}

int main(void)
{
	pthread_t t[3];

	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, make, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	assert(made == 1);
	return 0;
}
