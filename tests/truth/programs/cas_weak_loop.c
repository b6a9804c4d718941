/*
 * A weak compare and swap in a loop, as it should be: a stack with two threads that push.
 *
 * expect: 0
 * match: spurious wake-ups considered
 * options: --spurious=on
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct node {
	struct node *next;
};

static _Atomic(struct node *) top;
static struct node nodes[2];

static void *pusher(void *arg)
{
	struct node *n = arg, *old = atomic_load(&top);

	do
		n->next = old;
	while (!atomic_compare_exchange_weak(&top, &old, n));
	return NULL;
}

int main(void)
{
	pthread_t t[2];
	int count = 0;

	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, pusher, &nodes[i]);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	for (struct node *n = top; n; n = n->next)
		count++;
	assert(count == 2);
	return 0;
}
