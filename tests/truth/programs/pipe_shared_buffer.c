/*
 * The bytes of a write are read from memory that threads share, and the bytes of a read go there:
 * under the lock all is well.
 * expect: 0
 */
#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int ends[2];
static char buffer[4];

static void *put(void *arg)
{
	pthread_mutex_lock(&lock);
	buffer[0] = *(const char *)arg;
	assert(write(ends[1], buffer, 2) == 2);
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	pthread_t t, u;

	buffer[1] = '!';
	assert(pipe(ends) == 0);
	pthread_create(&t, NULL, put, "a");
	pthread_create(&u, NULL, put, "b");
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	assert(read(ends[0], buffer, 4) == 4);
	assert(!memcmp(buffer, "a!b!", 4) || !memcmp(buffer, "b!a!", 4));
	return 0;
}
