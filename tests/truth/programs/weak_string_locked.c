/*
 * With a lock around them no store can be late for anybody: strings under TSO as under SC.
 *
 * expect: 0
 * options: --model=tso
 */
#include <assert.h>
#include <pthread.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char text[16];

static void *add(void *arg)
{
	size_t n;

	pthread_mutex_lock(&lock);
	n = strlen(text);
	text[n] = 'a';
	text[n + 1] = 0;
	assert(strlen(text) == n + 1);
	strcat(text, "bc");
	assert(text[n] == 'a');
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t t[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, add, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	assert(strcmp(text, "abcabc") == 0);
	return 0;
}
