/*
 * The log buffer of the row apache-25520 with the loop that copies: two requests read the index,
 * copy their lines behind it and then add their length, without a lock.  In this run the lines do
 * not overlap, because the second request sees the index of the first.
 *
 * expect thr 3 lks 0 cvs 0 vars 10 evs 34 lkevs 0 coevs 0 reads 13 writes 11
 * expect r-p 15 r-hb 5 r-ucg 5 r-csr 5 r-poly 1 r-cp 1 syncp 1
 *
 * r-p: each request reads the index twice and writes it once, which makes five conflicts between
 * them (5); main's look at the index meets two writes (2) and its look at the buffer eight (8), and
 * join decides these ten.  Without locks nothing orders the five but the reads: once the second
 * request has read the index, the first has written it.  Only that first read can meet the write.
 */
#include <heddle/heddle.h>

#include "../program.h"

#define LENGTH 4

static int handle, count;
static char buffer[2 * LENGTH];

static void append(char letter)
{
	char *to = &buffer[count];

	for (int i = 0; i < LENGTH; i++)
		to[i] = letter;
	count += LENGTH;
}

static void *request_a(void *arg)
{
	append('a');
	return arg;
}

static void *request_b(void *arg)
{
	append('b');
	return arg;
}

int main(void)
{
	pthread_t t[2];
	int letters = 0;

	handle = 1;
	pthread_create(&t[0], NULL, request_a, NULL);
	pthread_create(&t[1], NULL, request_b, NULL);
	join_all(t, 2);
	for (int i = 0; i < 2 * LENGTH; i++)
		letters += buffer[i] == 'a' ? 1 : 0;
	heddle_assert(count == 2 * LENGTH && letters == LENGTH);
	return 0;
}
