/*
 * Each thread has every fourth element; what it is to do is in an element of an array of its own.
 *
 * analyze: none
 */
#include <pthread.h>
#include <stdlib.h>
#define N 4
static int data[64];
struct job {
	int id;
	int *sum;
	int result;
};
static void *work(void *arg)
{
	struct job *j = arg;
	for (int i = j->id; i < 64; i += N)
		data[i] = i;
	j->result = 1;
	return NULL;
}
int main(void)
{
	pthread_t t[N];
	struct job jobs[N];
	for (int i = 0; i < N; i++) {
		jobs[i].id = i;
		pthread_create(&t[i], NULL, work, &jobs[i]);
	}
	for (int i = 0; i < N; i++)
		pthread_join(t[i], NULL);
	return data[3] + jobs[1].result;
}
