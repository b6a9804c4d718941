/*
 * One memory at two addresses.
 *
 * expect: 4
 * match: shmat
 */
#include <assert.h>
#include <pthread.h>
#include <sys/shm.h>

static int *here, *there;

static void *worker(void *arg)
{
	*here = 1;
	return arg;
}

int main(void)
{
	int id = shmget(IPC_PRIVATE, 4096, 0600), seen;
	pthread_t t;

	here = shmat(id, NULL, 0);
	there = shmat(id, NULL, 0);
	shmctl(id, IPC_RMID, NULL);
	pthread_create(&t, NULL, worker, NULL);
	seen = *there;
	pthread_join(t, NULL);
	assert(seen == 0);
	return 0;
}
