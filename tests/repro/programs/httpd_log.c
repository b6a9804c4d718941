/*
 * Buffered access log of a web server, 10 threads: nine workers append entries, main flushes.
 * Bug: nobody locks the buffer; an entry is copied and then the length is raised.
 * Failure: an entry was overwritten or torn, which main notices when it reads the log.
 */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>

#ifdef PROVOKE /* as the literature does: a pause where the bug is */
#include <unistd.h>
#define WINDOW() usleep(200)
#else
#define WINDOW() ((void)0)
#endif

#define WORKERS 9
#define ENTRIES 3
#define ENTRY 8

static char buffer[WORKERS * ENTRIES * ENTRY];
static volatile int length;

static void append(const char *entry)
{
	int at = length;

	memcpy(buffer + at, entry, ENTRY);
	WINDOW();
	length = at + ENTRY;
}

static void *work(void *arg)
{
	char entry[ENTRY + 1] = "GET /. \n";

	entry[5] = (char)('0' + (int)(long)arg);
	for (int i = 0; i < ENTRIES; i++) {
		entry[6] = (char)('a' + i);
		append(entry);
		sched_yield();
	}
	return NULL;
}

static int count_entries(int worker)
{
	int n = 0;

	for (int at = 0; at < length; at += ENTRY)
		n += memcmp(buffer + at, "GET /", 5) == 0 && buffer[at + 5] == '0' + worker &&
		     buffer[at + 7] == '\n';
	return n;
}

int main(void)
{
	pthread_t workers[WORKERS];

	for (long i = 0; i < WORKERS; i++)
		pthread_create(&workers[i], NULL, work, (void *)i);
	for (int i = 0; i < WORKERS; i++)
		pthread_join(workers[i], NULL);
	for (int i = 0; i < WORKERS; i++)
		assert(count_entries(i) == ENTRIES);
	return 0;
}
