/*
 * Bug: a node is handed out twice.
 * Cause: ABA: between a popper's load of next and its compare-and-swap, the top goes away and comes
 * back with another node below it.
 * expect: assert
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define NONE (-1)

static struct {
	atomic_int next;
	atomic_int owned;
} pool[3];
static atomic_int top;

static int pop(void)
{
	int t = atomic_load(&top);

	while (t != NONE) {
		int next = atomic_load(&pool[t].next);

		if (atomic_compare_exchange_strong(&top, &t, next))
			break;
	}
	return t;
}

static void push(int node)
{
	int t = atomic_load(&top);

	do
		atomic_store(&pool[node].next, t);
	while (!atomic_compare_exchange_strong(&top, &t, node));
}

static int take(void)
{
	int n = pop();

	if (n != NONE)
		assert(atomic_exchange(&pool[n].owned, 1) == 0);
	return n;
}

static void *churn(void *arg)
{
	int a = take(), b = take();

	if (a != NONE) {
		atomic_store(&pool[a].owned, 0);
		push(a);
	}
	(void)b; /* kept */
	return arg;
}

static void *single(void *arg)
{
	take();
	take();
	return arg;
}

int main(void)
{
	pthread_t a, b;

	for (int i = 0; i < 3; i++)
		atomic_store(&pool[i].next, i + 1 < 3 ? i + 1 : NONE);
	pthread_create(&a, NULL, churn, NULL);
	pthread_create(&b, NULL, single, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
