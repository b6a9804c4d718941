/*
 * A temporary file has the same name in every run, so that its runs can be compared.
 *
 * expect: 0
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int file;

static void *add(void *arg)
{
	pthread_mutex_lock(&lock);
	if (write(file, "ab", 2) != 2)
		abort();
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	char name[] = "temporaryXXXXXX", all[8] = "";
	pthread_t t[2];

	file = mkstemp(name);
	assert(file >= 0 && unlink(name) == 0);
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, add, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	assert(pread(file, all, sizeof(all), 0) == 4 && strcmp(all, "abab") == 0);
	return 0;
}
