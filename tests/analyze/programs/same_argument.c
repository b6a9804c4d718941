/*
 * All threads are given the same number's address.
 *
 * analyze: race id 1
 */
#include <pthread.h>
static int data[4];
static void *work(void *arg)
{
	data[*(int *)arg] = 1;
	return NULL;
}
int main(void)
{
	pthread_t t[4];
	int id;
	for (int i = 0; i < 4; i++) {
		id = i;
		pthread_create(&t[i], NULL, work, &id);
	}
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	return data[1];
}
