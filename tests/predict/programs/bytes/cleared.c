/*
 * One thread clears a structure while the other one uses two of its fields: two races, and no more.
 */
#include <pthread.h>
#include <string.h>

static struct {
	volatile long a, b, c;
} s;

static void *other(void *arg)
{
	memset((void *)&s, 1, sizeof(s));
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, other, NULL);
	s.a = 3;
	(void)s.b;
	pthread_join(t, NULL);
	return 0;
}
