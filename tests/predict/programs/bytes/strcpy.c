/*
 * One thread copies a name, the other one looks at a letter of it: a race by the byte with what the
 * library function writes.  The letter behind the name is nobody's.
 */
#include <pthread.h>
#include <string.h>

static char name[16];
static volatile char seen;

static void *other(void *arg)
{
	strcpy(name, "worker");
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, other, NULL);
	seen = name[3];
	seen = name[7];
	pthread_join(t, NULL);
	return 0;
}
