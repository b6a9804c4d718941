/*
 * Two readers of a readers-writer lock decide to write and ask for the lock again as writers
 * without giving it back.
 * Bug: each waits until the other stops reading.
 * Cause: such a lock cannot be upgraded; even one thread alone waits for itself.
 * expect: deadlock
 * found: --strategy=random --runs=1000
 */
#include "../bench.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int entries;

static void *user(void *arg)
{
	pthread_rwlock_rdlock(&lock);
	if (entries == 0) {
		pthread_rwlock_wrlock(&lock);
		entries++;
		pthread_rwlock_unlock(&lock);
	}
	pthread_rwlock_unlock(&lock);
	return arg;
}

int main(void)
{
	start(user, 0);
	start(user, 1);
	join_all();
	return 0;
}
