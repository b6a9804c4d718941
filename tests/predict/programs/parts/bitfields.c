/*
 * Two bit-fields of one word are one place: setting one reads and writes the other.  A field of
 * width zero between two others makes them two places.
 *
 * expect race one other
 */
#include <pthread.h>

static struct {
	unsigned a : 3, b : 5;
	unsigned : 0;
	unsigned c : 4;
	unsigned : 0;
	unsigned d : 4;
} s;

static void *other(void *arg)
{
	s.b = 2; /* other */
	s.d = 1;
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, other, NULL);
	s.a = 1; /* one */
	s.c = 1;
	pthread_join(t, NULL);
	return 0;
}
