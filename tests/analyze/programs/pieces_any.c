/*
 * The number of threads and the size of pieces come from the user; blocks are given back.
 *
 * analyze: none
 */
#include <pthread.h>
#include <stdlib.h>
static int *data, n, threads, chunk;
struct job {
	int id, lo, hi;
};
static void *work(void *arg)
{
	struct job *j = arg;
	for (int i = 0; i < chunk; i++)
		data[2 * n + j->id * chunk + i] = 2;
	free(j);
	return NULL;
}
int main(int argc, char **argv)
{
	pthread_t *t;
	threads = argc > 1 ? atoi(argv[1]) : 2;
	n = argc > 2 ? atoi(argv[2]) : 8;
	chunk = n / threads;
	data = calloc(3 * n, sizeof(int));
	t = calloc(threads, sizeof(*t));
	for (int i = 0; i < threads; i++) {
		struct job *j = malloc(sizeof(*j));
		j->id = i;
		j->lo = i * chunk;
		j->hi = i * chunk + chunk;
		pthread_create(&t[i], NULL, work, j);
	}
	for (int i = 0; i < threads; i++)
		pthread_join(t[i], NULL);
	return data[3];
}
