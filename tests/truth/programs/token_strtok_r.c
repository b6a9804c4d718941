/*
 * A later call of strtok_r reads the string where the one before left off, and cuts it there.
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
	char *rest, *first, *third;

	pthread_create(&t, NULL, writer, NULL);
	LOCK();
	first = strtok_r(text, ",", &rest);
	assert(first && text[1] == 0);
	assert(strtok_r(NULL, ",", &rest));
	third = strtok_r(NULL, ",", &rest);
	UNLOCK();
	pthread_join(t, NULL);
	assert(third);
	return 0;
}
