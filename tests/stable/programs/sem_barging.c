/* Vector 12.6: two waiters of a semaphore, two posts by main. */
#include <pthread.h>
#include <semaphore.h>

static sem_t sem;

static void *work(void *unused)
{
	(void)unused;
	sem_wait(&sem);
	return NULL;
}

int main(void)
{
	pthread_t a, b;
	sem_init(&sem, 0, 0);
	pthread_create(&a, NULL, work, NULL);
	pthread_create(&b, NULL, work, NULL);
	sem_post(&sem);
	sem_post(&sem);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
