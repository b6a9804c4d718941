/* An in-place transform, butterflies shared out between barriers: arithmetic, few branches. */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
enum { LOG = 18, N = 1 << LOG };
static double re[N], im[N], cs[N / 2], sn[N / 2];
static int threads;
static pthread_barrier_t barrier;
static void *worker(void *arg)
{
	int id = (int)(long)arg;
	for (int round = 0; round < 4; round++)
	for (int s = 1; s <= LOG; s++) {
		int m = 1 << s, half = m / 2, step = N / m;
		for (int b = id * (N / 2 / threads); b < (id + 1) * (N / 2 / threads); b++) {
			int k = b % half, i = b / half * m + k, j = i + half;
			double xr = re[j] * cs[k * step] - im[j] * sn[k * step], xi = re[j] * sn[k * step] + im[j] * cs[k * step];
			re[j] = re[i] - xr; im[j] = im[i] - xi; re[i] += xr; im[i] += xi;
			if (re[i] > 1e100) re[i] = 0;
		}
		pthread_barrier_wait(&barrier);
	}
	return NULL;
}
int main(int argc, char **argv)
{
	pthread_t t[16];
	threads = argc > 1 ? atoi(argv[1]) : 2;
	for (int i = 0; i < N; i++) re[i] = i % 97;
	for (int i = 0; i < N / 2; i++) { cs[i] = cos(-2 * M_PI * i / N); sn[i] = sin(-2 * M_PI * i / N); }
	pthread_barrier_init(&barrier, NULL, (unsigned)threads);
	for (int i = 0; i < threads; i++) pthread_create(&t[i], NULL, worker, (void *)(long)i);
	for (int i = 0; i < threads; i++) pthread_join(t[i], NULL);
	printf("%f\n", re[1]);
	return 0;
}
