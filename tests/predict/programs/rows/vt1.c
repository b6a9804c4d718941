/*
 * Empty sections do not hand x over.
 */
#include "../program.h"

static int x;
static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;

static void *reader(void *arg)
{
	pass(&l, 1);
	return x < 0 ? arg : NULL;
}

int main(void)
{
	pthread_t t[1];

	pthread_create(&t[0], NULL, reader, NULL);
	x = 1;
	pass(&l, 1);
	join_all(t, 1);
	return 0;
}
