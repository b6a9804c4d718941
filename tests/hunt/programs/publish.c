/* A block is filled before its pointer is stored; nobody gives it back.  hunt: safe */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct item {
	int a, b;
};
static struct item *shared;

static void *make(void *arg)
{
	struct item *i = malloc(sizeof(*i));

	i->a = 3;
	i->b = 4;
	*(struct item *volatile *)&shared = i;
	return arg;
}

static void *use(void *arg)
{
	struct item *i = *(struct item *volatile *)&shared;

	if (i)
		assert(i->a + i->b == 7);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, make, NULL);
	pthread_create(&b, NULL, use, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
