/* Semaphores count places, nobody protects the index. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
static sem_t room, items;
static int buf[8], in, out, sum;
static void *produce(void *a)
{
	for (int i = 0; i < 10; i++) {
		sem_wait(&room);
		buf[in % 8] = 1;
		in++;
		sem_post(&items);
	}
	return 0;
}
static void *consume(void *a)
{
	for (int i = 0; i < 20; i++) {
		sem_wait(&items);
		sum += buf[out % 8];
		buf[out % 8] = 0;
		out++;
		sem_post(&room);
	}
	return 0;
}
int main(void)
{
	pthread_t p[2], c;
	sem_init(&room, 0, 8);
	sem_init(&items, 0, 0);
	for (int i = 0; i < 2; i++)
		pthread_create(&p[i], 0, produce, 0);
	pthread_create(&c, 0, consume, 0);
	for (int i = 0; i < 2; i++)
		pthread_join(p[i], 0);
	pthread_join(c, 0);
	assert(sum == 20);
	return 0;
}
