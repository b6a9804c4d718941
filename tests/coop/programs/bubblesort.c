/*
 * Several threads sort one array by swapping neighbours; reading and writing the two cells is not
 * one step, so a value is lost.
 *
 * Expected: assertion
 */
#include <assert.h>
#include <pthread.h>

#include "nudge.h"

#define N 4
static int cells[N] = {4, 3, 2, 1};

static void *sorter(void *arg)
{
	for (int i = 0; i + 1 < N; i++) {
		int a = cells[i], b = cells[i + 1];

		if (a <= b)
			continue;
		if (arg && i == 0) {
			nudge_pass(0);
			nudge_wait(1);
		}
		cells[i] = b;
		cells[i + 1] = a;
	}
	return NULL;
}

static void *second(void *arg)
{
	nudge_wait(0);
	sorter(NULL);
	nudge_pass(1);
	return arg;
}

int main(void)
{
	pthread_t t[2];
	int sum = 0;

	nudge_init(2);
	pthread_create(&t[0], NULL, sorter, &t);
	pthread_create(&t[1], NULL, second, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	for (int i = 0; i < N; i++)
		sum += cells[i] * cells[i];
	assert(sum == 30);
	return 0;
}
