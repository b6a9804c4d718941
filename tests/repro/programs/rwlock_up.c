/* Upgrade of a read lock by unlocking: the key may be there now. */
#include <assert.h>
#include <pthread.h>
#include <string.h>
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static int keys[64], n;
static int find(int k)
{
	for (int i = 0; i < n; i++)
		if (keys[i] == k)
			return 1;
	return 0;
}
static void insert(int k)
{
	pthread_rwlock_rdlock(&l);
	int there = find(k);
	pthread_rwlock_unlock(&l);
	if (there)
		return;
	pthread_rwlock_wrlock(&l);
	keys[n++] = k;
	pthread_rwlock_unlock(&l);
}
static void *work(void *a)
{
	for (int i = 0; i < 16; i++)
		insert(i);
	return 0;
}
int main(void)
{
	pthread_t t[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], 0, work, 0);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], 0);
	assert(n == 16);
	return 0;
}
