/*
 * The parent publishes the state of a node after its last protected access; the child polls it.
 */
#include "../program.h"

static int owner, buffer, state;
static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;

static void *child(void *arg)
{
	int sum;

	pass(&l, 3);
	pthread_mutex_lock(&l);
	sum = buffer;
	pthread_mutex_unlock(&l);
	pass(&l, 1);
	return sum + state < 0 ? arg : NULL;
}

int main(void)
{
	pthread_t t[1];

	owner = 1;
	pthread_create(&t[0], NULL, child, NULL);
	pass(&l, 3);
	pthread_mutex_lock(&l);
	buffer = 1;
	pthread_mutex_unlock(&l);
	state = 1;
	pass(&l, 1);
	join_all(t, 1);
	return 0;
}
