/*
 * What the library keeps without a lock is memory, too: two threads in strtok() race although
 * each cuts a text of its own.
 *
 * analyze: race strtok 1
 */
#include <pthread.h>
#include <string.h>

static void *work(void *arg)
{
	char text[] = "a b c";

	for (char *word = strtok(text, " "); word; word = strtok(NULL, " "))
		continue;
	return arg;
}

int main(void)
{
	pthread_t t[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, work, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
