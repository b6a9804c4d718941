/*
 * A small copy is stores like any others: under PSO they may come later than what follows.
 *
 * expect: 1
 * match: assertion failed
 * options: --model=pso
 * drawn
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

static char text[4];
static const char *volatile source = "ab";
static atomic_int there;

static void *say(void *arg)
{
	memcpy(text, source, 3);
	atomic_store_explicit(&there, 1, memory_order_relaxed);
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, say, NULL);
	if (atomic_load_explicit(&there, memory_order_relaxed))
		assert(text[0] == 'a');
	pthread_join(t, NULL);
	return 0;
}
