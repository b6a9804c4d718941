/*
 * A stack with elimination: a push and a pop that lose their race at the top meet in a cell beside
 * it and exchange the value there, without touching the stack.
 * Bug: a value is popped twice.
 * Cause: a push that gets tired of waiting takes its offer back by a plain store instead of a
 * compare-and-swap; a pop that took the offer in between has it as well as whoever pops it later.
 * expect: assert
 * found: --strategy=random --runs=20000
 * Needed: random switching: 27 runs.
 */
#include <stdatomic.h>

#include "../bench.h"

#define PAIRS 2
#define EACH 2
#define VALUES (PAIRS * EACH)
#define EMPTY (-1)

struct node {
	struct node *next;
	int value;
};

static struct node nodes[VALUES];
static _Atomic(struct node *) top;
static _Atomic(struct node *) offer;
static _Atomic int popped[VALUES];

static int try_push(struct node *n)
{
	struct node *seen = top;

	n->next = seen;
	return atomic_compare_exchange_strong(&top, &seen, n);
}

/* 1 when a pop took the node. */
static int offer_push(struct node *n)
{
	struct node *none = NULL;

	if (!atomic_compare_exchange_strong(&offer, &none, n))
		return 0;
	if (offer != n)
		return 1;
	offer = NULL;
	return 0;
}

static int try_pop(struct node **n)
{
	struct node *seen = top;

	*n = seen;
	return !seen || atomic_compare_exchange_strong(&top, &seen, seen->next);
}

static int offer_pop(struct node **n)
{
	struct node *seen = offer;

	*n = seen;
	return seen && atomic_compare_exchange_strong(&offer, &seen, NULL);
}

static void *pusher(void *number)
{
	for (int i = 0; i < EACH; i++) {
		struct node *n = &nodes[(intptr_t)number * EACH + i];

		while (!try_push(n) && !offer_push(n))
			;
	}
	return NULL;
}

static void *popper(void *arg)
{
	for (int i = 0; i < EACH; i++) {
		struct node *n;

		while (!try_pop(&n) && !offer_pop(&n))
			;
		if (n)
			assert(popped[n->value]++ == 0);
	}
	return arg;
}

int main(void)
{
	for (int i = 0; i < VALUES; i++)
		nodes[i].value = i;
	for (int i = 0; i < PAIRS; i++) {
		start(pusher, i);
		start(popper, i);
	}
	join_all();
	return 0;
}
