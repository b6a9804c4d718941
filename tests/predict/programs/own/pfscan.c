/*
 * A parallel file scanner: main loads files and queues them, three workers take them and look for a
 * pattern with a skip table, matches are counted and listed under locks, the last worker tells
 * main. Whether to go on is a flag without a lock: main sets it before it fills the queue, a worker
 * looks at it inside of the queue's section, before it looks at the queue.
 *
 * expect thr 4 lks 4 cvs 3 vars 324 evs 582 lkevs 66 coevs 9 reads 135 writes 351
 * expect r-p 117 r-hb 0 r-ucg 6 r-csr 6 r-poly 3 r-cp 0 syncp 3
 *
 * The published row has the same threads, locks, conditions, variables, lock events and counts of
 * races, but 678 accesses (288/390) and 29 condition events; its 791 events do not add up.
 *
 * r-p: text, skip table and length that main prepared meet the reads of the workers, and the count
 * of workers and the two sums at the end what they did to them (111); setting the flag meets two
 * looks of each worker (6).  Fork and join decide the 111.  A worker's first look can come before
 * main has set the flag: it is the first thing in its section.  At the second look it has taken a
 * file from the queue, and main has set the flag before it put one there; locks alone do not tell.
 * The sections conflict on the queue, so an order of conflicting sections hides all six.
 */
#include "../program.h"

#define FILES 3
#define LENGTH 19
#define WORKERS 3

static char content[FILES][LENGTH];
static int skip[256], pattern_length;
static int queue[FILES], count, first, closed;
static int going;
static int matches, lines; /* in letters */
static int active;
static pthread_mutex_t queue_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t match_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t line_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t active_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER;
static pthread_cond_t less = PTHREAD_COND_INITIALIZER;
static pthread_cond_t idle = PTHREAD_COND_INITIALIZER;

static void queue_put(int file)
{
	int n;

	pthread_mutex_lock(&queue_lock);
	while ((n = count) == FILES)
		pthread_cond_wait(&less, &queue_lock);
	queue[file] = file;
	count = n + 1;
	pthread_cond_signal(&more);
	pthread_mutex_unlock(&queue_lock);
}

static void queue_close(void)
{
	pthread_mutex_lock(&queue_lock);
	closed = 1;
	pthread_cond_broadcast(&more);
	pthread_mutex_unlock(&queue_lock);
}

/* The next file, or -1 when there will be none. */
static int queue_take(void)
{
	int file = -1, n, at;

	pthread_mutex_lock(&queue_lock);
	if (going) {
		while ((n = count) == 0 && !closed)
			pthread_cond_wait(&more, &queue_lock);
		if (n > 0) {
			count = n - 1;
			at = first;
			first = at + 1;
			file = queue[at];
			pthread_cond_signal(&less);
		}
	}
	pthread_mutex_unlock(&queue_lock);
	return file;
}

static void found(void)
{
	pthread_mutex_lock(&match_lock);
	matches += pattern_length;
	pthread_mutex_unlock(&match_lock);
	pthread_mutex_lock(&line_lock);
	lines += pattern_length;
	pthread_mutex_unlock(&line_lock);
}

static void scan(const char *text)
{
	int n = pattern_length, at = 0;
	unsigned char last;

	while (at + n <= LENGTH) {
		last = (unsigned char)text[at + n - 1];
		if (last == 'b' && text[at] == 'a')
			found();
		at += skip[last];
	}
}

static void *worker(void *arg)
{
	int file;

	while ((file = queue_take()) >= 0) {
		scan(content[file]);
		step_back();
	}
	pthread_mutex_lock(&active_lock);
	if (--active == 0)
		pthread_cond_signal(&idle);
	pthread_mutex_unlock(&active_lock);
	return arg;
}

/* The files are made up: "ab" every sixth letter, x elsewhere. */
static char letter(int file, int i)
{
	return (i + file) % 6 == 2 ? 'a' : (i + file) % 6 == 3 ? 'b' : 'x';
}

static void load(void)
{
	pattern_length = 2;
	for (int i = 0; i < 256; i++)
		skip[i] = 2;
	skip['a'] = 1;
	for (int f = 0; f < FILES; f++)
		for (int i = 0; i < LENGTH; i++)
			content[f][i] = letter(f, i);
}

int main(void)
{
	pthread_t t[WORKERS];

	load();
	active = WORKERS;
	for (int i = 0; i < WORKERS; i++)
		pthread_create(&t[i], NULL, worker, NULL);
	going = 1;
	for (int f = 0; f < FILES; f++)
		queue_put(f);
	queue_close();
	pthread_mutex_lock(&active_lock);
	while (active > 0)
		pthread_cond_wait(&idle, &active_lock);
	pthread_mutex_unlock(&active_lock);
	join_all(t, WORKERS);
	return matches == lines ? 0 : 1;
}
