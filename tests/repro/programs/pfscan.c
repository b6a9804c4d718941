/*
 * Parallel scanner, 3 threads: main fills a queue of texts, two workers count matches.
 * Bug: a worker leaves the count of busy workers before it has added its matches, so that main sees
 * "all done" too early.  Failure: the sum of matches is too small.
 */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>

#define FILES 6
#define WORKERS 2

static const char *const texts[FILES] = {"a needle here", "nothing", "needle needle",
					 "hay", "no", "the last needle"};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static const char *queue[FILES];
static int head, tail, closed;
static int running = WORKERS; /* written without the lock */
static int matches;

static int scan(const char *text)
{
	int n = 0;

	while ((text = strstr(text, "needle"))) {
		n++;
		text++;
	}
	return n;
}

static const char *next(void)
{
	const char *text = NULL;

	pthread_mutex_lock(&lock);
	while (head == tail && !closed)
		pthread_cond_wait(&filled, &lock);
	if (head < tail)
		text = queue[head++];
	pthread_mutex_unlock(&lock);
	return text;
}

static void *work(void *arg)
{
	const char *text;
	int found = 0;

	(void)arg;
	while ((text = next()))
		found += scan(text);
	__atomic_fetch_sub(&running, 1, __ATOMIC_SEQ_CST);
	sched_yield();
	pthread_mutex_lock(&lock);
	matches += found;
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	pthread_t workers[WORKERS];
	int sum;

	for (int i = 0; i < WORKERS; i++)
		pthread_create(&workers[i], NULL, work, NULL);
	for (int i = 0; i < FILES; i++) {
		pthread_mutex_lock(&lock);
		queue[tail++] = texts[i];
		pthread_cond_signal(&filled);
		pthread_mutex_unlock(&lock);
	}
	pthread_mutex_lock(&lock);
	closed = 1;
	pthread_cond_broadcast(&filled);
	pthread_mutex_unlock(&lock);
	while (__atomic_load_n(&running, __ATOMIC_SEQ_CST) > 0)
		sched_yield();
	pthread_mutex_lock(&lock);
	sum = matches;
	pthread_mutex_unlock(&lock);
	assert(sum == 4);
	for (int i = 0; i < WORKERS; i++)
		pthread_join(workers[i], NULL);
	return 0;
}
