/*
 * Nobody but this program can write to its pipe: who waits for a byte that does not come has
 * deadlocked, in the one order in which the flag is seen too late.
 * expect: 1
 * match: ^deadlock
 */
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static int ends[2];
static atomic_int wanted, stages;

static void *notify(void *arg)
{
	for (int i = 0; i < 3; i++)
		atomic_fetch_add(&stages, 1);
	if (atomic_load(&wanted))
		(void)!write(ends[1], "x", 1);
	return arg;
}

int main(void)
{
	pthread_t t;
	char c;

	if (pipe(ends) != 0)
		return 1;
	pthread_create(&t, NULL, notify, NULL);
	atomic_store(&wanted, 1);
	(void)!read(ends[0], &c, 1);
	pthread_join(t, NULL);
	return 0;
}
