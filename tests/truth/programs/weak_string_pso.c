/*
 * The single byte that strcpy() writes may be later than the store behind it.
 *
 * expect: 4
 * match: waited for late stores
 * options: --model=pso
 */
#include <assert.h>
#include <pthread.h>
#include <string.h>

static char text[4] = "a";
static const char *volatile nothing = "";
static int there;

static void *say(void *arg)
{
	strcpy(text, nothing);
	__atomic_store_n(&there, 1, __ATOMIC_RELAXED);
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, say, NULL);
	if (__atomic_load_n(&there, __ATOMIC_RELAXED))
		assert(__atomic_load_n(&text[0], __ATOMIC_RELAXED) == 0);
	pthread_join(t, NULL);
	return 0;
}
