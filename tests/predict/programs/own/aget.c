/*
 * A downloader: two workers get parts of a file, and add what they have to one sum under a lock and
 * to an offset of their own without one.  Main parses the request only after it has started them
 * and lets them go with a flag; then it looks at the sum, without the lock, to show how far they
 * are.
 *
 * expect thr 3 lks 1 cvs 0 vars 785 evs 1294 lkevs 40 coevs 0 reads 1089 writes 154
 * expect r-p 513 r-hb 400 r-ucg 405 r-csr 405 r-poly 11 r-cp 10 syncp 11
 *
 * The published row has the same figures (it has none for r-hb, r-csr and syncp).
 *
 * r-p: 65 letters of the header meet six reads each (390); main's look at the sum meets its ten
 * writes (10); one worker's note that it has stalled meets five looks of the other (5); the rest is
 * what main sets before it starts the threads (58) or reads when they have ended (50).  Fork and
 * join decide the rest.  The header is handed over by the flag, which only the reads show: without
 * them it is 390 false ones.  Four of the five looks come after the worker has read the sum that
 * the other one left.  The first look opens its section, before that read, and so it may come
 * early; the conflict of the two sections on the sum hides it from an order of sections.
 */
#include <sched.h>
#include <stdatomic.h>

#include "../program.h"

#define HOST 51
#define HEADER 65
#define TEXT 662
#define CHUNKS 5

static char text[TEXT] = "http://mirror.example.org/pub/archive/file-1.0.tar\n"
			 "GET /pub/archive/file-1.0.tar HTTP/1.0; Range: bytes=0-; Close;;\n";
static char host[HOST], header[HEADER];
static atomic_int ready;
static int chunk, written, last, stalled, offset[2];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Lines, letters and a sum over the header: what sending it three times over takes. */
static int send_header(void)
{
	int lines = 0, letters = 0, sum = 0;

	for (int i = 0; i < HEADER; i++)
		lines += header[i] == ';';
	for (int i = 0; i < HEADER; i++)
		letters += header[i] != ' ';
	for (int i = 0; i < HEADER; i++)
		sum = sum * 31 + header[i];
	return lines + letters + sum;
}

static int wait_and_send(void)
{
	while (!atomic_load(&ready))
		sched_yield();
	return send_header() + chunk;
}

static void got(int id, int bytes)
{
	pthread_mutex_lock(&lock);
	written += bytes;
	pthread_mutex_unlock(&lock);
	pthread_mutex_lock(&lock);
	last = id;
	pthread_mutex_unlock(&lock);
}

static void *first(void *arg)
{
	int sent = wait_and_send(), at = 0;

	stalled = 1;
	for (int i = 0; i < CHUNKS; i++) {
		at += chunk;
		got(0, at);
		offset[0] = at;
	}
	return sent == 0 ? arg : NULL;
}

static void *second(void *arg)
{
	int sent = wait_and_send(), at = 0, helps = 0;

	for (int i = 0; i < CHUNKS; i++) {
		at += chunk;
		pthread_mutex_lock(&lock);
		helps += stalled;
		written += at;
		pthread_mutex_unlock(&lock);
		pthread_mutex_lock(&lock);
		last = 1;
		pthread_mutex_unlock(&lock);
		offset[1] = at;
	}
	return sent + helps == 0 ? arg : NULL;
}

/* The address, and where the text ends. */
static int parse(void)
{
	int end = 0;

	for (int i = 0; i < HOST; i++)
		host[i] = text[i];
	for (int i = HOST + HEADER; i < TEXT; i++)
		end += text[i] != '\0';
	return end + (host[0] == 'h');
}

int main(void)
{
	pthread_t t[2];
	int known, shown;

	chunk = 10;
	written = 0;
	last = -1;
	stalled = 0;
	offset[0] = 0;
	offset[1] = 0;
	known = parse();
	pthread_create(&t[0], NULL, first, NULL);
	pthread_create(&t[1], NULL, second, NULL);
	for (int i = 0; i < HEADER; i++)
		header[i] = text[HOST + i];
	atomic_store(&ready, 1);
	shown = written;
	join_all(t, 2);
	if (last != 0 && last != 1)
		return 2;
	return known < 0 || shown > written || offset[0] + offset[1] > written;
}
