/* An index is changed between its test and its use.  hunt: found 17 */
#include <pthread.h>
#include <stdlib.h>

static volatile long at = 1;
static int *table;

static void *change(void *arg)
{
	at = 1L << 40;
	return arg;
}

static void *use(void *arg)
{
	if (at < 4)
		table[at] = 1;
	return arg;
}

int main(void)
{
	pthread_t a, b;

	table = calloc(4, sizeof(*table));
	pthread_create(&b, NULL, use, NULL);
	pthread_create(&a, NULL, change, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
