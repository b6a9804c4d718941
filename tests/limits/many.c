/* More behaviours than anybody can look at; with an argument one of the first fails. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int value;
static int fails;

static void *work(void *arg)
{
	for (int i = 0; i < 9; i++) {
		int seen = atomic_load(&value);

		atomic_store(&value, seen * 3 + (int)(long)arg);
	}
	assert(!fails || value != 4);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t t[6];

	fails = argc > 1;
	for (long i = 0; i < 6; i++)
		pthread_create(&t[i], NULL, work, (void *)(i + 1));
	for (int i = 0; i < 6; i++)
		pthread_join(t[i], NULL);
	return 0;
}
