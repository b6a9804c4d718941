/*
 * A work queue with two workers that is closed under its lock.
 * expect: clean
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct job {
	struct job *next;
	int amount;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER;
static struct job *head;
static int closed, done;

static void submit(int amount)
{
	struct job *j = malloc(sizeof(*j));

	j->amount = amount;
	pthread_mutex_lock(&lock);
	j->next = head;
	head = j;
	pthread_cond_signal(&more);
	pthread_mutex_unlock(&lock);
}

static void *worker(void *arg)
{
	pthread_mutex_lock(&lock);
	for (;;) {
		while (head == NULL && !closed)
			pthread_cond_wait(&more, &lock);
		if (head == NULL)
			break;
		struct job *j = head;
		head = j->next;
		done += j->amount;
		free(j);
	}
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, worker, NULL);
	pthread_create(&b, NULL, worker, NULL);
	submit(1);
	submit(2);
	pthread_mutex_lock(&lock);
	closed = 1;
	pthread_cond_broadcast(&more);
	pthread_mutex_unlock(&lock);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(done == 3 && head == NULL);
	return 0;
}
