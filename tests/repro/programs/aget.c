/*
 * Segmented download, 4 threads: two workers get segments, one saves the state, main waits.
 * Bug: a worker locks the segment and then the total, the saver the total and then each segment.
 * Failure: deadlock.
 */
#include <pthread.h>
#include <sched.h>
#include <string.h>

#define WORKERS 2
#define PIECES 3

static struct {
	pthread_mutex_t lock;
	int got;
} segments[WORKERS];
static pthread_mutex_t total_lock = PTHREAD_MUTEX_INITIALIZER;
static int total;
static char data[WORKERS * PIECES * 4];
static struct {
	int total, got[WORKERS];
} saved;

static void *download(void *arg)
{
	int self = (int)(long)arg;

	for (int i = 0; i < PIECES; i++) {
		pthread_mutex_lock(&segments[self].lock);
		memset(data + (self * PIECES + i) * 4, 'x', 4);
		segments[self].got += 4;
		sched_yield();
		pthread_mutex_lock(&total_lock);
		total += 4;
		pthread_mutex_unlock(&total_lock);
		pthread_mutex_unlock(&segments[self].lock);
	}
	return NULL;
}

static void *save(void *arg)
{
	(void)arg;
	for (int n = 0; n < 2; n++) {
		pthread_mutex_lock(&total_lock);
		saved.total = total;
		sched_yield();
		for (int i = 0; i < WORKERS; i++) {
			pthread_mutex_lock(&segments[i].lock);
			saved.got[i] = segments[i].got;
			pthread_mutex_unlock(&segments[i].lock);
		}
		pthread_mutex_unlock(&total_lock);
	}
	return NULL;
}

int main(void)
{
	pthread_t workers[WORKERS], saver;

	for (int i = 0; i < WORKERS; i++)
		pthread_mutex_init(&segments[i].lock, NULL);
	for (int i = 0; i < WORKERS; i++)
		pthread_create(&workers[i], NULL, download, (void *)(long)i);
	pthread_create(&saver, NULL, save, NULL);
	for (int i = 0; i < WORKERS; i++)
		pthread_join(workers[i], NULL);
	pthread_join(saver, NULL);
	return total != (int)sizeof(data);
}
