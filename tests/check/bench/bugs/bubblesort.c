/*
 * As many threads as numbers, each makes one bubble pass over the shared array.
 * Bug: the array is not sorted at the end, or numbers are gone.
 * Cause: passes overlap without a lock.
 * expect: assert
 * found: --strategy=random --runs=100
 */
#include "../bench.h"

static int numbers[] = { 463, 89, 2435, 0 };
#define COUNT ((int)(sizeof(numbers) / sizeof(numbers[0])))

static void *pass(void *arg)
{
	for (int i = 0; i + 1 < COUNT; i++)
		if (numbers[i] > numbers[i + 1]) {
			int larger = numbers[i];

			numbers[i] = numbers[i + 1];
			numbers[i + 1] = larger;
		}
	return arg;
}

int main(void)
{
	for (int i = 0; i < COUNT; i++)
		start(pass, i);
	join_all();
	for (int i = 0; i + 1 < COUNT; i++)
		assert(numbers[i] < numbers[i + 1]);
	return 0;
}
