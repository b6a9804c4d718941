/*
 * strtok remembers for all threads where it left off.
 *
 * expect: 0
 * drawn
 */
#include <assert.h>
#include <pthread.h>
#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

/* The other program of the pair forgets to lock. */
#ifdef UNLOCKED
#define LOCK() ((void)0)
#define UNLOCK() ((void)0)
#else
#define LOCK() pthread_mutex_lock(&mutex)
#define UNLOCK() pthread_mutex_unlock(&mutex)
#endif

static char text[] = "a,b,c";

static void *writer(void *arg)
{
	LOCK();
	text[3] = 0;
	text[3] = ',';
	UNLOCK();
	return arg;
}

int main(void)
{
	pthread_t t;
	char *first, *third;

	pthread_create(&t, NULL, writer, NULL);
	LOCK();
	first = strtok(text, ",");
	assert(first && text[1] == 0);
	assert(strtok(NULL, ","));
	third = strtok(NULL, ",");
	UNLOCK();
	pthread_join(t, NULL);
	assert(third);
	return 0;
}
