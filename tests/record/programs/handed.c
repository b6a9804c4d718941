/* Arguments filled in before each thread is made; a table made before all of them; one counter. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
struct work { int id, n; double *in; long result; };
static long out[2];
static int total;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *worker(void *arg)
{
	struct work *w = arg;
	long s = 0;
	for (int r = 0; r < 10; r++)
		for (int i = 0; i < w->n; i++)
			if (w->in[i] > 0.5) s += i; else s--;
	w->result = s;
	out[w->id] = s;
	pthread_mutex_lock(&lock);
	if (total < 100) total++;
	pthread_mutex_unlock(&lock);
	return NULL;
}
int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 1000;
	double *in = malloc((size_t)n * sizeof(*in));
	pthread_t t[2];
	struct work w[2];
	for (int i = 0; i < n; i++) in[i] = rand() / (double)RAND_MAX;
	for (int i = 0; i < 2; i++) {
		w[i] = (struct work){i, n, in, 0};
		pthread_create(&t[i], NULL, worker, &w[i]);
	}
	for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
	printf("%ld %ld %d\n", w[0].result, w[1].result, total);
	for (int i = 0; i < 0; i++) puts("never");
	return 0;
}
