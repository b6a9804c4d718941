/* Two semaphores used as locks, taken in two orders. */
#include <pthread.h>
#include <semaphore.h>

static sem_t left, right;
static int both;

static void *forth(void *arg)
{
	sem_wait(&left);
	sem_wait(&right);
	both++;
	sem_post(&right);
	sem_post(&left);
	return arg;
}

static void *back(void *arg)
{
	sem_wait(&right);
	sem_wait(&left);
	both++;
	sem_post(&left);
	sem_post(&right);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	sem_init(&left, 0, 1);
	sem_init(&right, 0, 1);
	pthread_create(&a, NULL, forth, NULL);
	pthread_create(&b, NULL, back, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
