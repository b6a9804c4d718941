/* omp: loops whose iterations wait for each other: ordered of every schedule, doacross in one and
 * two dimensions, scan; task reductions of taskgroups, taskloops, loops and regions. */
#include <omp.h>

#include "check.h"

#define N 120

static int order[N], count;

static void note(int i)
{
	order[count++] = i;
}

static void expect_order(void)
{
	EXPECT(count == N);
	for (int i = 0; i < N; i++)
		EXPECT(order[i] == i);
	count = 0;
}

static void ordered(void)
{
#pragma omp parallel for ordered schedule(static) num_threads(3)
	for (int i = 0; i < N; i++)
#pragma omp ordered
		note(i);
	expect_order();
#pragma omp parallel for ordered schedule(static, 4) num_threads(3)
	for (int i = 0; i < N; i++)
#pragma omp ordered
		note(i);
	expect_order();
#pragma omp parallel for ordered schedule(dynamic, 5) num_threads(4)
	for (int i = 0; i < N; i++)
#pragma omp ordered
		note(i);
	expect_order();
#pragma omp parallel for ordered schedule(guided) num_threads(4)
	for (unsigned long long i = 0; i < N; i++)
#pragma omp ordered
		note((int)i);
	expect_order();
	/* Not every iteration has an ordered part. */
#pragma omp parallel for ordered schedule(runtime) num_threads(2)
	for (int i = 0; i < 2 * N; i++)
		if (i % 2 == 0)
#pragma omp ordered
			note(i / 2);
	expect_order();
}

/* Counters that do not fit into a long, with bounds that the compiler does not know. */
static void wide(void)
{
	volatile unsigned long long from = ~0ull - N, to = ~0ull;
	unsigned long long sum = 0;
#pragma omp parallel num_threads(3) reduction(+ : sum)
	{
#pragma omp for schedule(runtime)
		for (unsigned long long i = from; i < to; i++)
			sum += i - from;
#pragma omp for schedule(static, 3)
		for (unsigned long long i = from; i < to; i += 2)
			sum++;
#pragma omp for schedule(dynamic, 3)
		for (unsigned long long i = to; i > from; i--)
			sum++;
	}
	EXPECT(sum == N * (N - 1) / 2 + N / 2 + N);
#pragma omp parallel for ordered schedule(runtime) num_threads(3)
	for (unsigned long long i = from; i < to; i++)
#pragma omp ordered
		note((int)(i - from));
	expect_order();
}

static long grid[N][N];

static void doacross(void)
{
	long line[N];
#pragma omp parallel for ordered(1) schedule(static, 1) num_threads(3)
	for (int i = 0; i < N; i++) {
#pragma omp ordered depend(sink : i - 1)
		line[i] = i ? line[i - 1] + i : 0;
#pragma omp ordered depend(source)
	}
	EXPECT(line[N - 1] == N * (N - 1) / 2);
#pragma omp parallel for ordered(2) schedule(dynamic) num_threads(4)
	for (int i = 0; i < N; i++) {
		for (int j = 0; j < N; j++) {
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)
			grid[i][j] = i && j ? (grid[i - 1][j] + grid[i][j - 1]) % 1009 : 1;
#pragma omp ordered depend(source)
		}
	}
	for (int i = 1; i < N; i++)
		for (int j = 1; j < N; j++)
			EXPECT(grid[i][j] == (grid[i - 1][j] + grid[i][j - 1]) % 1009);
}

static void scan(void)
{
	int sum = 0, prefix[N];
#pragma omp parallel for reduction(inscan, + : sum) num_threads(3)
	for (int i = 0; i < N; i++) {
		sum += i;
#pragma omp scan inclusive(sum)
		prefix[i] = sum;
	}
	for (int i = 0; i < N; i++)
		EXPECT(prefix[i] == i * (i + 1) / 2);
}

static void last(void)
{
	int seen = -1;
#pragma omp parallel for lastprivate(conditional : seen) schedule(dynamic) num_threads(3)
	for (int i = 0; i < N; i++)
		if (i % 7 == 0)
			seen = i;
	EXPECT(seen == (N - 1) / 7 * 7);
}

static void reductions(void)
{
	int a = 0, b = 0, c = 1;
#pragma omp parallel num_threads(4)
	{
#pragma omp single
#pragma omp taskloop reduction(+ : a, b) grainsize(3)
		for (int i = 0; i < N; i++) {
			a += i;
			b += 2 * i;
		}
#pragma omp for reduction(task, + : a, b)
		for (int i = 0; i < N; i++) {
#pragma omp task in_reduction(+ : a, b)
			{
				a += 1;
				b += 3;
			}
		}
#pragma omp single
#pragma omp taskgroup task_reduction(* : c)
		for (int i = 0; i < 5; i++)
#pragma omp task in_reduction(* : c)
			c *= 2;
	}
	EXPECT(a == N * (N - 1) / 2 + N);
	EXPECT(b == N * (N - 1) + 3 * N);
	EXPECT(c == 32);
#pragma omp parallel num_threads(3) reduction(task, + : a)
#pragma omp task in_reduction(+ : a)
	a += 1;
	EXPECT(a == N * (N - 1) / 2 + N + 3);
}

int main(void)
{
	for (int round = 0; round < 3; round++) {
		ordered();
		wide();
		doacross();
		scan();
		last();
		reductions();
	}
	puts("done");
	return 0;
}
