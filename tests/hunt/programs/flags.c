/* Dekker's entry with both flags set before both tests: at most one is in.  hunt: safe */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int want[2], in;

static void *enter(void *arg)
{
	int me = arg != NULL;

	want[me] = 1;
	if (!want[!me]) {
		assert(in == 0);
		in = 1;
		in = 0;
	}
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, enter, NULL);
	pthread_create(&b, NULL, enter, &want);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
