/*
 * Who ends before the key is deleted gets its destructor: not followed, and that is said.
 *
 * expect: 4
 * match: pthread_key_delete.. beside other threads
 */
#include <assert.h>
#include <pthread.h>

static pthread_key_t key;
static int ended;

static void end(void *p)
{
	ended++;
}

static void *worker(void *arg)
{
	pthread_setspecific(key, &ended);
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_key_create(&key, end);
	pthread_create(&t, NULL, worker, NULL);
	pthread_key_delete(key);
	pthread_join(t, NULL);
	assert(ended == 0 || ended == 5);
	return 0;
}
