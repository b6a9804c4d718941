/* Division by a shared count that becomes 0. */
#include <pthread.h>
#include <stdio.h>
static volatile int items = 3, total = 90;
static void *avg(void *a)
{
	long s = 0;
	for (int i = 0; i < 50; i++)
		if (items)
			s += total / items;
	return (void *)s;
}
static void *upd(void *a)
{
	for (int i = 0; i < 50; i++) {
		items = i % 3;
		total++;
	}
	return 0;
}
int main(void)
{
	pthread_t t[2];
	pthread_create(&t[0], 0, avg, 0);
	pthread_create(&t[1], 0, upd, 0);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], 0);
	puts("ok");
	return 0;
}
