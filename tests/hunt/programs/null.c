/* Another thread takes the pointer away between test and use.  hunt: found 14 */
#include <pthread.h>
#include <stdlib.h>

struct item {
	int value;
};
static struct item *p;
static int sum;

static void *reader(void *arg)
{
	if (p)
		sum += p->value;
	return arg;
}

static void *clearer(void *arg)
{
	p = NULL;
	return arg;
}

int main(void)
{
	pthread_t a, b;

	p = malloc(sizeof(*p));
	p->value = 3;
	pthread_create(&a, NULL, reader, NULL);
	pthread_create(&b, NULL, clearer, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
