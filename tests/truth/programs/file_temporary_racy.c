/*
 * A failure in which a temporary file has a part comes back like any other.
 *
 * expect: 1
 * match: assertion failed
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static char text[4] = "aaa";

static void *change(void *arg)
{
	text[1] = 'b';
	return arg;
}

int main(void)
{
	char name[] = "temporaryXXXXXX", all[4] = "";
	int file = mkstemp(name);
	pthread_t t;

	assert(file >= 0 && unlink(name) == 0);
	pthread_create(&t, NULL, change, NULL);
	if (write(file, text, 3) != 3)
		abort();
	pthread_join(t, NULL);
	assert(pread(file, all, 3, 0) == 3 && all[1] == 'a');
	return 0;
}
