/* Given back between another thread's test and use.  hunt: found 11 */
#include <pthread.h>
#include <stdlib.h>

static int *p;
static int done;

static void *user(void *arg)
{
	if (!done)
		*p = 4;
	return arg;
}

static void *closer(void *arg)
{
	done = 1;
	free(p);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	p = malloc(sizeof(*p));
	*p = 1;
	pthread_create(&a, NULL, user, NULL);
	pthread_create(&b, NULL, closer, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
