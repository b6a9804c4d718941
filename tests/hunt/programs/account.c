/* Transfers take the lock of the source only.  hunt: found 35 */
#include <assert.h>
#include <pthread.h>

#define N 3

static int balance[N];
static pthread_mutex_t lock[N] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
				  PTHREAD_MUTEX_INITIALIZER};

static void *transfer(void *arg)
{
	long me = (long)arg;

	pthread_mutex_lock(&lock[me]);
	balance[me] -= 10;
	balance[(me + 1) % N] += 10;
	pthread_mutex_unlock(&lock[me]);
	return NULL;
}

int main(void)
{
	pthread_t t[N];
	int total = 0;

	for (long i = 0; i < N; i++)
		balance[i] = 100;
	for (long i = 0; i < N; i++)
		pthread_create(&t[i], NULL, transfer, (void *)i);
	for (int i = 0; i < N; i++)
		pthread_join(t[i], NULL);
	for (int i = 0; i < N; i++)
		total += balance[i];
	assert(total == 100 * N);
	return 0;
}
