/*
 * A lock-free stack of malloc'ed nodes; each of three threads takes one node at a time, works with
 * it and puts it back.
 * Bug: two threads own one node.
 * Cause: ABA on the top, for three threads only: one reads the top A and its successor B and is
 * delayed, the second takes A, the third takes B, the second puts A back; now the first succeeds
 * and makes B the top although the third works with it, and the second takes it again.
 * expect: assert
 * found: --strategy=random --runs=200000
 * Needed: random switching after every access: 1,281 runs; PCT and few preemptions do not get there.
 */
#include <stdatomic.h>

#include "../bench.h"

#define NODES 3
#define THREADS 3
#ifndef ROUNDS
#define ROUNDS 3
#endif

struct node {
	struct node *_Atomic next;
	_Atomic int owned;
};

static struct node *_Atomic top;

static void push(struct node *n)
{
	struct node *seen = top;

	do
		n->next = seen;
	while (!atomic_compare_exchange_strong(&top, &seen, n));
}

static struct node *pop(void)
{
	struct node *seen = top;

	while (seen && !atomic_compare_exchange_strong(&top, &seen, seen->next))
		;
	return seen;
}

static void *user(void *arg)
{
	for (int i = 0; i < ROUNDS; i++) {
		struct node *n = pop();

		if (!n)
			continue;
		assert(atomic_exchange(&n->owned, 1) == 0);
		n->owned = 0;
		push(n);
	}
	return arg;
}

int main(void)
{
	for (int i = 0; i < NODES; i++)
		push(calloc(1, sizeof(struct node)));
	for (int i = 0; i < THREADS; i++)
		start(user, i);
	join_all();
	return 0;
}
