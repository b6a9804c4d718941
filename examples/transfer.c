/* Two clerks book into one account.  Each step is locked; the booking is not. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance = 100;

static int balance_read(void)
{
	pthread_mutex_lock(&lock);
	int b = balance;
	pthread_mutex_unlock(&lock);
	return b;
}

static void balance_write(int b)
{
	pthread_mutex_lock(&lock);
	balance = b;
	pthread_mutex_unlock(&lock);
}

static void *clerk(void *arg)
{
	balance_write(balance_read() + 50);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, clerk, NULL);
	pthread_create(&b, NULL, clerk, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(balance == 200);
	return 0;
}
