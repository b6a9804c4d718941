/* Thread-local state, destructors update a shared total racily; detached thread; trylock. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
static pthread_key_t key;
static __thread int local;
static int total;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int missed;
static void fin(void *p)
{
	int t = total;
	total = t + *(int *)p;
	free(p);
}
static void *work(void *a)
{
	int *p = malloc(sizeof *p);
	for (int i = 0; i < 10; i++) {
		local += 1;
		if (pthread_mutex_trylock(&m) == 0)
			pthread_mutex_unlock(&m);
		else
			missed++;
	}
	*p = local;
	pthread_setspecific(key, p);
	return 0;
}
int main(void)
{
	pthread_t t[3];
	pthread_key_create(&key, fin);
	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], 0, work, 0);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], 0);
	assert(total == 30);
	return 0;
}
