/* Options divided among threads beforehand, with numbers with a fraction: argv is threads, options.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int threads, options;
static double *price[16];

static void *worker(void *arg)
{
	long id = (long)arg;
	int first = (int)(id * options / threads), end = (int)((id + 1) * options / threads);
	double *mine = malloc(sizeof(*mine) * (size_t)(end - first + 1));

	for (int i = first; i < end; i++)
		mine[i - first] = i * 1.5 + (i % 3 == 0 ? 0.25 : 0.5);
	mine[end - first] = -1;
	price[id] = mine;
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t t[16];
	double sum = 0;

	if (argc < 3)
		return 2;
	threads = atoi(argv[1]);
	options = atoi(argv[2]);
	if (threads < 1 || threads > 16 || options < threads)
		return 2;
	for (long i = 0; i < threads; i++)
		pthread_create(&t[i], NULL, worker, (void *)i);
	for (int i = 0; i < threads; i++)
		pthread_join(t[i], NULL);
	for (int i = 0; i < threads; i++)
		for (double *p = price[i]; *p >= 0; p++)
			sum += *p;
	if (argc > 3 && !strcmp(argv[3], "-v"))
		printf("%d options\n", options);
	printf("%.2f\n", sum);
	return 0;
}
