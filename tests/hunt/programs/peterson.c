/* Peterson's entry, one try each.  hunt: safe */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int want[2], turn, inside;

static void *enter(void *arg)
{
	int me = arg != NULL;

	want[me] = 1;
	turn = !me;
	if (!want[!me] || turn == me) {
		assert(inside == 0);
		inside = 1;
		inside = 0;
	}
	want[me] = 0;
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, enter, NULL);
	pthread_create(&b, NULL, enter, (void *)&turn);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
