/*
 * A memory cache enters an object with an estimated size, and later replaces the estimate by the
 * real size, in a section of its own.  In between another request may evict the object: then its
 * size is subtracted twice.  All of the cache is under one lock, so that is no race.  Reference
 * count and abort flag of a request are not under it.
 *
 * expect thr 3 lks 1 cvs 0 vars 8 evs 69 lkevs 8 coevs 0 reads 35 writes 15
 * expect r-p 35 r-hb 2 r-ucg 8 r-csr 8 r-poly 2 r-cp 2 syncp 2
 *
 * The published row has the same figures (it has none for r-hb, r-csr and syncp).
 *
 * r-p: main's writes of size and max_size meet their 27 later accesses; the flag that one request
 * sets meets the six looks of the other one (6); the reference count is written by one request and
 * read and written by the other (2).  Fork decides the 27.  The looks come after a section that has
 * read the size the first request left, so its whole work, with the flag, is over by then: locks
 * alone do not tell (6 false ones of the closure), reads do.  The reference count is touched after
 * the last section of one and before the first of the other; nothing orders it.
 */
#include <heddle/heddle.h>

#include "../program.h"

#define LOW_WATER 8
#define CHUNKS 6

static int size, max_size, count, head, entry[2];
static int refcount, aborted;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int fits(int need)
{
	return size + need <= max_size;
}

/* How full it is, in percent. */
static int level(void)
{
	int percent = size * 100 / max_size;

	heddle_assert(percent >= 0);
	return percent;
}

/* Evicts the newest entry, unless the cache is so small that it may as well exceed its limit. */
static void make_room(int need)
{
	int victim;

	if (fits(need))
		return;
	victim = head;
	if (size < LOW_WATER && !fits(need))
		return;
	size -= entry[victim];
	count--;
}

static void create(int id, int estimate)
{
	pthread_mutex_lock(&lock);
	make_room(estimate);
	entry[id] = estimate;
	size += estimate;
	count++;
	head = id;
	level();
	pthread_mutex_unlock(&lock);
}

static void write_body(int id, int real)
{
	int old;

	pthread_mutex_lock(&lock);
	old = entry[id];
	if (!fits(real - old))
		real = 0;
	size = size - old + real;
	level();
	pthread_mutex_unlock(&lock);
}

static void *first_request(void *arg)
{
	aborted = 0;
	create(0, 10);
	write_body(0, 5);
	refcount++;
	return arg;
}

static void *second_request(void *arg)
{
	refcount = 0;
	create(1, 9);
	for (int i = 0; i < CHUNKS && !aborted; i++)
		;
	write_body(1, 0);
	return arg;
}

int main(void)
{
	pthread_t t[2];

	size = 0;
	max_size = 12;
	pthread_create(&t[0], NULL, first_request, NULL);
	pthread_create(&t[1], NULL, second_request, NULL);
	join_all(t, 2);
	return 0;
}
