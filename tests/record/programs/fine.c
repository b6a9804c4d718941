/* Nothing is wrong. */
#include <pthread.h>
#include <stdio.h>
int n;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *worker(void *arg) { for (int i = 0; i < 1000; i++) { pthread_mutex_lock(&lock); if (n < 5000) n++; pthread_mutex_unlock(&lock); } return 0; }
int main(void)
{
	pthread_t t[4];
	for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, worker, 0);
	for (int i = 0; i < 4; i++) pthread_join(t[i], 0);
	printf("%d\n", n);
	return 7;
}
