/* Two threads look through an array that a third may change: a recorded point in every step. */
#include <pthread.h>
#include <stdio.h>
enum { N = 20000 };
static int data[N];
static void *look(void *arg)
{
	long found = 0, runs = 0;
	for (int i = 1; i < N; i++) {
		if (data[i] == data[i - 1])
			continue;
		runs++;
		for (int k = i; k > 0 && data[k] > data[k - 1]; k--)
			found += k & 3;
	}
	*(long *)arg = found + runs;
	return NULL;
}
static void *change(void *arg)
{
	for (int i = 0; i < N; i += 3)
		data[i] = i % 11;
	return arg;
}
int main(void)
{
	pthread_t t[3];
	long found[2];
	pthread_create(&t[0], NULL, change, NULL);
	pthread_join(t[0], NULL);
	pthread_create(&t[1], NULL, look, &found[0]);
	pthread_create(&t[2], NULL, look, &found[1]);
	pthread_join(t[1], NULL);
	pthread_join(t[2], NULL);
	printf("%ld\n", found[0]);
	return found[0] != found[1];
}
