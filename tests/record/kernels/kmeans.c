/* k-means: points are only read, centres change between barriers and are shared. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
enum { N = 60000, K = 16, D = 8, ROUNDS = 12 };
static float point[N][D], centre[K][D], sum[16][K][D];
static int count[16][K], threads;
static pthread_barrier_t barrier;
static void *worker(void *arg)
{
	int id = (int)(long)arg;
	for (int r = 0; r < ROUNDS; r++) {
		for (int k = 0; k < K; k++) { count[id][k] = 0; for (int d = 0; d < D; d++) sum[id][k][d] = 0; }
		for (int i = id; i < N; i += threads) {
			int best = 0; float least = 1e30f;
			for (int k = 0; k < K; k++) {
				float dist = 0;
				for (int d = 0; d < D; d++) { float x = point[i][d] - centre[k][d]; dist += x * x; }
				if (dist < least) { least = dist; best = k; }
			}
			count[id][best]++;
			for (int d = 0; d < D; d++) sum[id][best][d] += point[i][d];
		}
		pthread_barrier_wait(&barrier);
		if (id == 0) for (int k = 0; k < K; k++) {
			int n = 0;
			for (int t = 0; t < threads; t++) n += count[t][k];
			for (int d = 0; d < D && n; d++) { float s = 0; for (int t = 0; t < threads; t++) s += sum[t][k][d]; centre[k][d] = s / (float)n; }
		}
		pthread_barrier_wait(&barrier);
	}
	return NULL;
}
int main(int argc, char **argv)
{
	pthread_t t[16];
	threads = argc > 1 ? atoi(argv[1]) : 2;
	for (int i = 0; i < N; i++) for (int d = 0; d < D; d++) point[i][d] = (float)(rand() % 1000);
	for (int k = 0; k < K; k++) for (int d = 0; d < D; d++) centre[k][d] = point[k * 7][d];
	pthread_barrier_init(&barrier, NULL, (unsigned)threads);
	for (int i = 0; i < threads; i++) pthread_create(&t[i], NULL, worker, (void *)(long)i);
	for (int i = 0; i < threads; i++) pthread_join(t[i], NULL);
	printf("%f\n", (double)centre[0][0]);
	return 0;
}
