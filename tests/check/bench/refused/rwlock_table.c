/*
 * A table behind a rwlock; readers sum it up, a writer moves amounts between rows.
 * No bug.
 * expect: clean
 * found: --strategy=random --runs=2000
 */
#include "../bench.h"

#define ROWS 4

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int rows[ROWS] = { 10, 10, 10, 10 };

static void *reader(void *arg)
{
	int sum = 0;

	pthread_rwlock_rdlock(&lock);
	for (int i = 0; i < ROWS; i++)
		sum += rows[i];
	pthread_rwlock_unlock(&lock);
	assert(sum == 10 * ROWS);
	return arg;
}

static void *writer(void *number)
{
	int from = (int)(intptr_t)number;

	pthread_rwlock_wrlock(&lock);
	rows[from]--;
	rows[from + 1]++;
	pthread_rwlock_unlock(&lock);
	return NULL;
}

int main(void)
{
	start(writer, 0);
	start(reader, 0);
	start(writer, 1);
	start(reader, 1);
	join_all();
	return 0;
}
