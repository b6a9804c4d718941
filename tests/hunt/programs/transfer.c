/* Transfers under both locks, in one order.  hunt: safe */
#include <assert.h>
#include <pthread.h>

static int balance[2] = {50, 50};
static pthread_mutex_t lock[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static void *transfer(void *arg)
{
	int from = arg != NULL;

	pthread_mutex_lock(&lock[0]);
	pthread_mutex_lock(&lock[1]);
	if (balance[from] >= 30) {
		balance[from] -= 30;
		balance[!from] += 30;
	}
	assert(balance[0] + balance[1] == 100);
	pthread_mutex_unlock(&lock[1]);
	pthread_mutex_unlock(&lock[0]);
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, transfer, NULL);
	pthread_create(&b, NULL, transfer, &balance);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
