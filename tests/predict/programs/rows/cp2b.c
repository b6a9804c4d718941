/*
 * As cp1, but the reader also looks at z before its section, where nothing orders it.
 */
#include "../program.h"

static int x, y, z, u;
static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;

static void *writer(void *arg)
{
	y = 1;
	z = 1;
	pthread_mutex_lock(&l);
	x = 1;
	pthread_mutex_unlock(&l);
	return u < 0 ? arg : NULL;
}

static void *reader(void *arg)
{
	int sum = z;

	pthread_mutex_lock(&l);
	sum += x;
	pthread_mutex_unlock(&l);
	sum += y;
	sum += z;
	return sum < 0 ? arg : NULL;
}

int main(void)
{
	pthread_t t[2];

	x = 0;
	y = 0;
	z = 0;
	u = 0;
	pthread_create(&t[0], NULL, writer, NULL);
	pthread_create(&t[1], NULL, reader, NULL);
	join_all(t, 2);
	return 0;
}
