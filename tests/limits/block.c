/* A block with very many bytes that threads share, each a cell of its own. */
#include <pthread.h>
#include <stdlib.h>

#define CELLS 60000

static int *cells;

static void *work(void *arg)
{
	for (int i = 0; i < CELLS; i++)
		cells[2 * i] += 1;
	return arg;
}

int main(void)
{
	for (int round = 0; round < 2; round++) {
		pthread_t a, b;

		cells = calloc(2 * CELLS, sizeof(*cells));
		pthread_create(&a, NULL, work, NULL);
		pthread_create(&b, NULL, work, NULL);
		pthread_join(a, NULL);
		pthread_join(b, NULL);
		free(cells);
	}
	return 0;
}
