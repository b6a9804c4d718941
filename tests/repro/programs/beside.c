/*
 * A length that is checked before it is locked: two threads write behind a block, which nobody
 * notices until main looks at the length.  The first thread waits for the second to have checked,
 * so that it fails whenever it is run.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t checked;
static const size_t cap = 16;
static size_t len;
static char *text;

static void *append(void *arg)
{
	if (len + 12 > cap)
		return arg;
	pthread_barrier_wait(&checked);
	pthread_mutex_lock(&lock);
	memcpy(text + len, "0123456789ab", 12);
	len += 12;
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t t;

	text = malloc(cap);
	pthread_barrier_init(&checked, NULL, 2);
	pthread_create(&t, NULL, append, NULL);
	append(NULL);
	pthread_join(t, NULL);
	if (len > cap)
		abort();
	return 0;
}
