/*
 * The functions are only known by their addresses.
 *
 * analyze: race count 1
 */
#include <pthread.h>
#include <stdlib.h>

static int count, other;

static void up(void)
{
	count++;
}

static void down(void)
{
	other--;
}

static void (*const table[])(void) = {up, down};

static void *work(void *arg)
{
	table[(long)arg & 1]();
	return NULL;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, work, NULL);
	up();
	pthread_join(t, NULL);
	return 0;
}
