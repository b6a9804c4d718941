/*
 * expect: 4
 * match: crc32 is not instrumented
 *
 * Not the function of that name that a library has.
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

/* As if linked from an object that somebody else has compiled. */
__asm__(".globl crc32\n.type crc32, @function\n"
	"crc32: addl %esi, (%rdi)\n\tret\n");
unsigned long crc32(int *to, int n);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int shared;

static void *one(void *arg)
{
	pthread_mutex_lock(&lock);
	assert(shared == 0);
	pthread_mutex_unlock(&lock);
	return arg;
}

static void *other(void *arg)
{
	pthread_mutex_lock(&lock);
	crc32(&shared, 1);
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t t[2];

	pthread_create(&t[0], NULL, one, NULL);
	pthread_create(&t[1], NULL, other, NULL);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	return 0;
}
