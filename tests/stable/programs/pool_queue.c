/*
 * det: a pool fed through a bounded queue, results put in order by a writer.  Prints how many items
 * were taken while another was in work, which the schedule decides, not the clock.
 */
#include <pthread.h>
#include <stdio.h>

enum { ITEMS = 48, PLACES = 4, WORKERS = 2 };

static pthread_mutex_t queue_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t flag_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t out_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t has_item = PTHREAD_COND_INITIALIZER, has_place = PTHREAD_COND_INITIALIZER;
static pthread_cond_t has_result = PTHREAD_COND_INITIALIZER;
static int queue[PLACES], first, count, closed;
static int done[ITEMS];
static int in_work, together;

static void check_flag(void)
{
	pthread_mutex_lock(&flag_lock);
	pthread_mutex_unlock(&flag_lock);
}

static void put(int item)
{
	check_flag();
	pthread_mutex_lock(&queue_lock);
	while (count == PLACES)
		pthread_cond_wait(&has_place, &queue_lock);
	queue[(first + count++) % PLACES] = item;
	pthread_cond_signal(&has_item);
	pthread_mutex_unlock(&queue_lock);
}

static int take(void)
{
	int item = -1;
	pthread_mutex_lock(&queue_lock);
	while (count == 0 && !closed)
		pthread_cond_wait(&has_item, &queue_lock);
	if (count) {
		item = queue[first];
		first = (first + 1) % PLACES;
		count--;
		together += __atomic_fetch_add(&in_work, 1, __ATOMIC_SEQ_CST) > 0;
		pthread_cond_signal(&has_place);
	}
	pthread_mutex_unlock(&queue_lock);
	return item;
}

static void *work(void *unused)
{
	int item;
	(void)unused;
	while ((item = take()) >= 0) {
		pthread_mutex_lock(&out_lock);
		done[item] = 1;
		__atomic_fetch_sub(&in_work, 1, __ATOMIC_SEQ_CST);
		pthread_cond_signal(&has_result);
		pthread_mutex_unlock(&out_lock);
		check_flag();
	}
	return NULL;
}

static void *write_in_order(void *unused)
{
	(void)unused;
	for (int next = 0; next < ITEMS; next++) {
		pthread_mutex_lock(&out_lock);
		while (!done[next])
			pthread_cond_wait(&has_result, &out_lock);
		pthread_mutex_unlock(&out_lock);
		check_flag();
	}
	return NULL;
}

int main(void)
{
	pthread_t worker[WORKERS], writer;
	pthread_create(&writer, NULL, write_in_order, NULL);
	for (int i = 0; i < WORKERS; i++)
		pthread_create(&worker[i], NULL, work, NULL);
	for (int i = 0; i < ITEMS; i++)
		put(i);
	pthread_mutex_lock(&queue_lock);
	closed = 1;
	pthread_cond_broadcast(&has_item);
	pthread_mutex_unlock(&queue_lock);
	for (int i = 0; i < WORKERS; i++)
		pthread_join(worker[i], NULL);
	pthread_join(writer, NULL);
	printf("%d of %d\n", together, ITEMS);
	return 0;
}
