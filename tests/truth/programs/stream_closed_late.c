/*
 * A stream is closed beside somebody who writes to it.  Who writes learns nothing from that, and no
 * execution that shows something new has both.
 *
 * expect: 1
 * match: (use after free|freed)
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int words[2];
static FILE *stream;

static void *closes(void *arg)
{
	if (words[0])
		fclose(stream);
	return arg;
}

static void *writes(void *arg)
{
	if (words[1])
		fputs("x", stream);
	return arg;
}

static void *says(void *arg)
{
	words[arg != NULL] = 1;
	return arg;
}

int main(void)
{
	pthread_t t[4];

	stream = fopen("/dev/null", "w");
	pthread_create(&t[0], NULL, closes, NULL);
	pthread_create(&t[1], NULL, writes, NULL);
	pthread_create(&t[2], NULL, says, NULL);
	pthread_create(&t[3], NULL, says, &stream);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	return 0;
}
