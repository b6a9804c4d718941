/*
 * N pairs of threads keep each other out with flags, as in Dekker's algorithm.
 * Bug: under TSO both come in.
 * expect: assert
 * found: --strategy=mix --runs=20000 --model=tso
 * flags: -DN=1
 * trial: -DN=1 --model=tso |
 * trial: -DN=3 --model=tso |
 */
#include <stdatomic.h>

#include "../bench.h"

static _Atomic int flag[N][2], inside[N];

static void *enter(void *arg)
{
	intptr_t pair = (intptr_t)arg / 2, me = (intptr_t)arg % 2;

	atomic_store_explicit(&flag[pair][me], 1, memory_order_relaxed);
	if (atomic_load_explicit(&flag[pair][!me], memory_order_relaxed) == 0) {
		assert(atomic_fetch_add(&inside[pair], 1) == 0);
		atomic_fetch_sub(&inside[pair], 1);
	}
	return arg;
}

int main(void)
{
	for (intptr_t i = 0; i < 2 * N; i++)
		start(enter, i);
	join_all();
	return 0;
}
