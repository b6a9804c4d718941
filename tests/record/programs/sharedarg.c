/* One argument for all threads, written again while the first of them run. */
#include <pthread.h>
struct work { int id, n; };
static void *worker(void *arg)
{
	struct work *w = arg;
	int s = 0;
	for (int i = 0; i < w->n; i++) s += w->id > 1 ? 2 : 1;
	return (void *)(long)s;
}
int main(void)
{
	pthread_t t[3];
	struct work w;
	for (int i = 0; i < 3; i++) {
		w.id = i;
		w.n = 100;
		pthread_create(&t[i], NULL, worker, &w);
	}
	pthread_join(t[0], NULL), pthread_join(t[1], NULL), pthread_join(t[2], NULL);
	return 0;
}
