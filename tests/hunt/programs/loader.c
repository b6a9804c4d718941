/* Readers look at an array that the loader has not filled yet.  hunt: found 24 */
#include <assert.h>
#include <pthread.h>

#define N 4

static int data[N], loaded;

static void *load(void *arg)
{
	for (int i = 0; i < N; i++) {
		data[i] = i + 1;
		if (i == 1)
			loaded = 1; /* long before the end */
	}
	return arg;
}

static void *look(void *arg)
{
	if (loaded) {
		int last = data[N - 1];

		assert(last == N);
	}
	return arg;
}

int main(void)
{
	pthread_t t[3];

	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, i == 0 ? load : look, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	return 0;
}
