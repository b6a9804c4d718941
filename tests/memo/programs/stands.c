/*
 * The second thread asks for the lock while the first one has it, after it has read the number that
 * was given; what it read decides.  The first one writes over it behind its next operations:
 * whoever thinks that the second one reads that, because it gets the lock later, knows no
 * condition.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static int word, seen;

static void once_more(void)
{
	pthread_mutex_lock(&other);
	pthread_mutex_unlock(&other);
}

static void *first(void *arg)
{
	pthread_mutex_lock(&lock);
	once_more();
	once_more();
	word = 1;
	once_more();
	pthread_mutex_unlock(&lock);
	return arg;
}

static void *second(void *arg)
{
	seen = word;
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
	if (seen > 2)
		once_more();
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t t[2];

	word = argc > 1 ? atoi(argv[1]) : 1;
	pthread_create(&t[0], NULL, first, NULL);
	pthread_create(&t[1], NULL, second, NULL);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	printf("%d\n", seen > 2);
	return 0;
}
