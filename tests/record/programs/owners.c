/* Objects of threads that are not theirs alone: given twice, looked at by neighbours, one for all. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
struct w { int n; int done; long state; };
static struct w pool[4];
static struct w *get(void) { static struct w one; return &one; }
static void *a(void *arg) { struct w *w = arg; int c = 0; for (int i = 0; i < w->n; i++) { if (w[1].n > 1) c++; w->state += i; if (w->state > 10) c += 2; } return (void *)(long)c; }
static void *b(void *arg) { struct w *w = arg; int c = 0; for (int i = 0; i < 50; i++) { w->n++; if (w->n > 20) c++; } return (void *)(long)c; }
int main(void)
{
	pthread_t t[8];
	struct w x = {3, 0, 0};
	void *r;
	pthread_create(&t[0], 0, b, &x);
	x.n = 7;
	pthread_create(&t[1], 0, b, &x);
	for (int i = 0; i < 3; i++) { pool[i].n = 5 + i; pthread_create(&t[2 + i], 0, a, &pool[i]); }
	for (int i = 0; i < 3; i++) { struct w *g = get(); g->n = i; pthread_create(&t[5 + i], 0, b, g); }
	for (int i = 0; i < 8; i++) { pthread_join(t[i], &r); if ((long)r > 5) printf("many\n"); }
	return 0;
}
