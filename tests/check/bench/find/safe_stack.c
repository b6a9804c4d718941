/*
 * An array stack linked by indices, popped by compare and swap without a version; three threads, N rounds.
 * Bug: an index is popped twice, with two others in between.
 * expect: assert
 * found: none
 * flags: -DN=2
 * trial: -DN=2 | SURW 368921 RFF -
 */
#include <stdatomic.h>

#include "../bench.h"

#define CELLS 3

static _Atomic int head, count = CELLS, next_of[CELLS], value[CELLS];

static int pop(void)
{
	while (count > 1) {
		int first = head, next = atomic_exchange(&next_of[first], -1);

		if (next < 0)
			continue;
		if (atomic_compare_exchange_strong(&head, &first, next)) {
			count--;
			return first;
		}
		atomic_exchange(&next_of[first], next);
	}
	return -1;
}

static void push(int index)
{
	int first = head;

	do
		next_of[index] = first;
	while (!atomic_compare_exchange_strong(&head, &first, index));
	count++;
}

static void *thread(void *arg)
{
	for (int i = 0; i < N; i++) {
		int me = (int)(intptr_t)arg, index = pop();

		if (index < 0)
			continue;
		value[index] = me;
		assert(value[index] == me);
		push(index);
	}
	return arg;
}

int main(void)
{
	for (int i = 0; i < CELLS; i++)
		next_of[i] = i + 1 < CELLS ? i + 1 : -1;
	for (intptr_t i = 0; i < 3; i++)
		start(thread, i);
	join_all();
	return 0;
}
