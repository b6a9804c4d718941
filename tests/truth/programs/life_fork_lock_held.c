/*
 * expect: 4
 * match: what a child process of fork\(\) makes of the memory it gets
 *
 * A child may get a lock that nobody will ever give back.
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void turn(void)
{
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
}

static void *one(void *arg)
{
	turn();
	return arg;
}

static void *other(void *arg)
{
	pid_t child = fork();

	if (child == 0) {
		turn();
		_exit(0);
	}
	waitpid(child, NULL, 0);
	return arg;
}

int main(void)
{
	pthread_t t[2];

	pthread_create(&t[0], NULL, one, NULL);
	pthread_create(&t[1], NULL, other, NULL);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	return 0;
}
