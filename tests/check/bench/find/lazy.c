/*
 * Three threads add to a number under a lock, the last one looks.
 * Bug: it looks after the other two.
 * expect: assert
 * found: --strategy=mix --runs=20000
 * trial: |
 */
#include "../bench.h"

static int data;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *add(void *arg)
{
	pthread_mutex_lock(&lock);
	data += (int)(intptr_t)arg;
	pthread_mutex_unlock(&lock);
	return arg;
}

static void *look(void *arg)
{
	pthread_mutex_lock(&lock);
	assert(data < 3);
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	start(add, 1);
	start(add, 2);
	start(look, 0);
	join_all();
	return 0;
}
