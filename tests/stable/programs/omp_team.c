/* omp: loops of every schedule, sections, single, critical, locks, barriers, nested and many
 * regions. */
#include <omp.h>

#include "check.h"

#define N 1000

static int hits[N];

static void loops(void)
{
	long sum = 0;
#pragma omp parallel num_threads(3)
	{
#pragma omp for schedule(static)
		for (int i = 0; i < N; i++)
			hits[i]++;
#pragma omp for schedule(dynamic, 7)
		for (int i = N - 1; i >= 0; i--)
			hits[i]++;
#pragma omp for schedule(guided) nowait
		for (int i = 0; i < N; i += 3)
			hits[i]++;
#pragma omp for schedule(runtime) reduction(+ : sum)
		for (unsigned long long i = 0; i < N; i++)
			sum += (long)i;
	}
	EXPECT(sum == N * (N - 1) / 2);
	for (int i = 0; i < N; i++)
		EXPECT(hits[i] == 2 + (i % 3 == 0));
#pragma omp parallel for schedule(dynamic) num_threads(4)
	for (int i = 0; i < N; i++)
		hits[i] = i;
	for (int i = 0; i < N; i++)
		EXPECT(hits[i] == i);
}

static void constructs(void)
{
	int once = 0, parts = 0, copied = 0, order[4], taken = 0, inner = 0;
	omp_lock_t lock;
	omp_init_lock(&lock);
#pragma omp parallel num_threads(4)
	{
		int mine;
		EXPECT(omp_get_num_threads() == 4 && omp_in_parallel());
#pragma omp single
		once++;
#pragma omp single copyprivate(mine)
		mine = 41;
#pragma omp atomic
		copied += mine;
#pragma omp sections
		{
#pragma omp section
			{
#pragma omp atomic
				parts += 1;
			}
#pragma omp section
			{
#pragma omp atomic
				parts += 10;
			}
		}
#pragma omp critical
		order[taken++] = omp_get_thread_num();
#pragma omp barrier
		omp_set_lock(&lock);
		once += 10;
		omp_unset_lock(&lock);
#pragma omp parallel num_threads(2)
		{
#pragma omp atomic
			inner++;
		}
	}
	EXPECT(once == 41 && copied == 164 && parts == 11 && taken == 4 && inner >= 4);
	EXPECT(!omp_in_parallel() && omp_get_thread_num() == 0);
	printf("%d%d%d%d\n", order[0], order[1], order[2], order[3]);
}

static void nested_locks(void)
{
	omp_nest_lock_t lock;
	int count = 0;
	omp_init_nest_lock(&lock);
#pragma omp parallel num_threads(4)
	for (int i = 0; i < 10; i++) {
		omp_set_nest_lock(&lock);
		EXPECT(omp_test_nest_lock(&lock) == 2);
		count++;
		omp_unset_nest_lock(&lock);
		omp_unset_nest_lock(&lock);
	}
	EXPECT(count == 40);
	omp_destroy_nest_lock(&lock);
}

int main(void)
{
	loops();
	nested_locks();
	for (int i = 0; i < 20; i++)
		constructs();
	int tasks = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
	for (int i = 0; i < 10; i++) {
#pragma omp task shared(tasks)
		{
#pragma omp atomic
			tasks++;
		}
	}
	EXPECT(tasks == 10);
	return 0;
}
