/*
 * A lock-free stack of array cells; each thread takes cells, owns them for a while and puts them
 * back.  A popper marks the next field of the head it tries to take.
 * Bug: two threads own one cell.
 * Cause: ABA on the head: it takes three threads and several preemptions in the right places, since
 * the mark keeps simpler mistakes away.
 * expect: assert
 * found: --strategy=random --runs=20000 --max-steps=2000
 * Needed: random switching after every access: 1,847 runs; few preemptions and PCT of depth 3 do not
 * get there.
 */
#include <stdatomic.h>

#include "../bench.h"

#define CELLS 3
#define THREADS 3
#ifndef ROUNDS
#define ROUNDS 2
#endif
#define TAKEN (-1)

static struct {
	_Atomic int next, owner;
} cells[CELLS];
static _Atomic int head, available = CELLS;

static void push(int cell)
{
	int top = head;

	do
		cells[cell].next = top;
	while (!atomic_compare_exchange_strong(&head, &top, cell));
	available++;
}

/* -1 when only one cell is left: the last one always stays. */
static int pop(void)
{
	while (available > 1) {
		int top = head, below = atomic_exchange(&cells[top].next, TAKEN);

		if (below == TAKEN)
			continue;
		if (atomic_compare_exchange_strong(&head, &top, below)) {
			available--;
			return top;
		}
		atomic_exchange(&cells[top].next, below);
	}
	return TAKEN;
}

static void *user(void *number)
{
	int me = (int)(intptr_t)number;

	for (int i = 0; i < ROUNDS; i++) {
		int cell = pop();

		if (cell == TAKEN)
			continue;
		cells[cell].owner = me;
		assert(cells[cell].owner == me);
		push(cell);
	}
	return NULL;
}

int main(void)
{
	for (int i = 0; i < CELLS; i++)
		cells[i].next = i + 1 < CELLS ? i + 1 : 0;
	for (int i = 0; i < THREADS; i++)
		start(user, i + 1);
	join_all();
	return 0;
}
