/* Image filter: rows are taken from a counter, the input is only read, each row is written once. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
enum { W = 1024, H = 768 };
static unsigned char in[H][W], out[H][W];
static int next;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int take(void) { int y; pthread_mutex_lock(&lock); y = next++; pthread_mutex_unlock(&lock); return y; }
static void *worker(void *arg)
{
	for (int y; (y = take()) < H * 12;) {
		int r = y % H;
		if (r == 0 || r == H - 1) continue;
		for (int x = 1; x < W - 1; x++) {
			int low = 255, high = 0;
			for (int dy = -1; dy <= 1; dy++)
				for (int dx = -1; dx <= 1; dx++) {
					int v = in[r + dy][x + dx];
					if (v < low) low = v;
					if (v > high) high = v;
				}
			out[r][x] = (unsigned char)(high - low > 90 ? 255 : in[r][x]);
		}
	}
	return arg;
}
int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 2;
	pthread_t t[16];
	unsigned s = 1;
	for (int y = 0; y < H; y++) for (int x = 0; x < W; x++) in[y][x] = (unsigned char)((s = s * 1103515245 + 12345) >> 20);
	for (int i = 0; i < n; i++) pthread_create(&t[i], NULL, worker, NULL);
	for (int i = 0; i < n; i++) pthread_join(t[i], NULL);
	printf("%d\n", out[5][5]);
	return 0;
}
