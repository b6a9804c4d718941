/*
 * A stack that only grows beside one who takes all of it and frees what it took: nobody expects a
 * freed block.
 *
 * expect: 0
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
	struct node *next;
};

static _Atomic(struct node *) top;
static int freed[2];

static void *user(void *arg)
{
	struct node *n = malloc(sizeof(*n)), *expected = top;

	do
		n->next = expected;
	while (!atomic_compare_exchange_strong(&top, &expected, n));
	return arg;
}

static void *taker(void *arg)
{
	for (struct node *n = atomic_exchange(&top, NULL), *next; n; n = next) {
		next = n->next;
		free(n);
		freed[0]++;
	}
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, user, NULL);
	user(NULL);
	pthread_create(&b, NULL, taker, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	taker(NULL);
	assert(freed[0] == 2);
	return 0;
}
