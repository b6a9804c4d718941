/* ./null [x]: one thread uses what the other forgets; with x the one schedule has them that way
 * round. */
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int value, *volatile p = &value;

static void *use(void *arg)
{
	pthread_mutex_lock(&m);
	*p = 1;
	pthread_mutex_unlock(&m);
	return arg;
}

static void *forget(void *arg)
{
	pthread_mutex_lock(&m);
	p = NULL;
	pthread_mutex_unlock(&m);
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t t[2];

	pthread_create(&t[0], NULL, argc > 1 ? forget : use, NULL);
	pthread_create(&t[1], NULL, argc > 1 ? use : forget, NULL);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	return argv[0] == NULL;
}
