/*
 * Bug: null pointer dereference.
 * Cause: the pointer is cleared between the check and the use.
 * expect: signal
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct log {
	int lines;
};

static struct log storage;
static struct log *_Atomic active;

static void *writer(void *arg)
{
	if (atomic_load(&active) != NULL)
		atomic_load(&active)->lines++;
	return arg;
}

static void *closer(void *arg)
{
	atomic_store(&active, NULL);
	return arg;
}

int main(void)
{
	pthread_t w, c;

	atomic_store(&active, &storage);
	pthread_create(&w, NULL, writer, NULL);
	pthread_create(&c, NULL, closer, NULL);
	pthread_join(w, NULL);
	pthread_join(c, NULL);
	return 0;
}
