/*
 * A structure is copied for a call while another thread writes it.
 *
 * analyze: race shared 1
 */
#include <pthread.h>
#include <stdlib.h>

static struct big {
	long words[8];
} shared;

static long sum(struct big b)
{
	return b.words[0] + b.words[7];
}

static void *work(void *arg)
{
	shared.words[7] = 1;
	return arg;
}

int main(void)
{
	pthread_t t;
	long n;

	pthread_create(&t, NULL, work, NULL);
	n = sum(shared);
	pthread_join(t, NULL);
	return n > 1;
}
