/* A turn variable written by both and tested in a loop.  hunt: found 17 */
#include <assert.h>
#include <pthread.h>

static volatile int turn, inside;

static void *enter(void *arg)
{
	int me = arg ? 2 : 1;

	for (int i = 0; i < 2; i++) {
		if (turn != 0)
			return NULL;
		turn = me;
		if (turn == me) {
			inside++;
			assert(inside == 1);
			inside--;
			turn = 0;
		}
	}
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
