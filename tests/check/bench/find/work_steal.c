/*
 * A work stealing deque whose owner pops without a second look; N items.
 * Bug: an item is handed out twice.
 * expect: assert
 * found: --strategy=mix --runs=20000
 * flags: -DN=2
 * trial: -DN=2 | SURW 6 RFF 10
 * trial: -DN=6 |
 */
#include "../bench.h"

static _Atomic int top, bottom;
static int items[N + 1], taken[N + 1];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void take(int item)
{
	assert(__atomic_fetch_add(&taken[item], 1, __ATOMIC_SEQ_CST) == 0);
}

static void *owner(void *arg)
{
	for (int i = 0; i < N; i++) {
		items[bottom] = i;
		bottom++;
	}
	for (int i = 0; i < N; i++) {
		int b = bottom - 1;

		if (top <= b) {
			bottom = b;
			take(items[b]);
		}
	}
	return arg;
}

static void *thief(void *arg)
{
	pthread_mutex_lock(&lock);
	int t = top;

	if (t < bottom) {
		top = t + 1;
		take(items[t]);
	}
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	start(owner, 0);
	start(thief, 0);
	start(thief, 1);
	join_all();
	return 0;
}
