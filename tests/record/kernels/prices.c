/* Monte Carlo: private generators, a table that is only read, one result per thread. */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
struct task { unsigned long state; int paths; double strike, sum; };
static double drift[64];
static double draw(unsigned long *s) { *s = *s * 6364136223846793005ul + 1442695040888963407ul; return (double)(*s >> 40) / (1 << 24); }
static void *worker(void *arg)
{
	struct task *t = arg;
	double sum = 0;
	for (int p = 0; p < t->paths; p++) {
		double price = 100;
		for (int i = 0; i < 64; i++) {
			double u = draw(&t->state);
			if (u < 0.3) price *= 1 - drift[i];
			else if (u > 0.7) price *= 1 + drift[i];
		}
		if (price > t->strike) sum += price - t->strike;
	}
	t->sum = sum;
	return NULL;
}
int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 2;
	pthread_t t[16];
	struct task task[16];
	for (int i = 0; i < 64; i++) drift[i] = 0.01 + i * 0.0001;
	for (int i = 0; i < n; i++) { task[i] = (struct task){(unsigned)i + 1, 400000 / n, 105, 0}; pthread_create(&t[i], NULL, worker, &task[i]); }
	for (int i = 0; i < n; i++) pthread_join(t[i], NULL);
	printf("%f\n", task[0].sum);
	return 0;
}
