/*
 * A downloader: workers take addresses from a queue, "fetch" pages from a small web made of
 * numbers, and put the links they have not seen into the queue; one thread shows statistics.
 * Several thousand events.
 * Bug: a null pointer is dereferenced.
 * Cause: the statistics thread looks whether there is a current page and then uses the pointer
 * again, while a worker takes it back between two pages.
 * expect: signal
 * found: --strategy=random --runs=2000
 */
#include <string.h>

#include "../bench.h"

#define PAGES 24
#define WORKERS 2
#define LINKS 3

struct page {
	int address, size;
	int links[LINKS];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER;
static int queue[PAGES], queue_head, queue_tail, busy;
static char seen[PAGES];
static struct page *current; /* what the last worker to begin works on */
static int bytes, done;

static void enqueue(int address)
{
	if (seen[address])
		return;
	seen[address] = 1;
	queue[queue_tail++] = address;
	pthread_cond_signal(&more);
}

/* -1 when everything is fetched. */
static int dequeue(void)
{
	int address = -1;

	pthread_mutex_lock(&lock);
	while (queue_head == queue_tail && busy > 0)
		pthread_cond_wait(&more, &lock);
	if (queue_head < queue_tail) {
		address = queue[queue_head++];
		busy++;
	}
	pthread_mutex_unlock(&lock);
	return address;
}

static struct page *fetch(int address)
{
	struct page *p = calloc(1, sizeof(*p));

	p->address = address;
	for (int i = 0; i < LINKS; i++)
		p->links[i] = (address * (i + 2) + 1) % PAGES;
	for (int i = 0; i < 16; i++)
		p->size += address ^ i;
	return p;
}

static void *worker(void *arg)
{
	for (int address = dequeue(); address >= 0; address = dequeue()) {
		struct page *p = fetch(address);

		current = p;
		pthread_mutex_lock(&lock);
		bytes += p->size;
		for (int i = 0; i < LINKS; i++)
			enqueue(p->links[i]);
		busy--;
		pthread_cond_broadcast(&more);
		pthread_mutex_unlock(&lock);
		current = NULL;
	}
	done = 1;
	return arg;
}

static void *statistics(void *arg)
{
	int last = 0;

	for (int i = 0; i < 4 && !done; i++)
		if (current != NULL)
			last = current->address;
	return (char *)arg + last;
}

int main(void)
{
	enqueue(0);
	for (int i = 0; i < WORKERS; i++)
		start(worker, i);
	start(statistics, 0);
	join_all();
	return 0;
}
