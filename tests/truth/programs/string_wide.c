/*
 * Wide strings of different lengths.
 *
 * expect: 0
 */
#include <assert.h>
#include <pthread.h>
#include <wchar.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

/* The other program of the pair forgets to lock. */
#ifdef UNLOCKED
#define LOCK() ((void)0)
#define UNLOCK() ((void)0)
#else
#define LOCK() pthread_mutex_lock(&mutex)
#define UNLOCK() pthread_mutex_unlock(&mutex)
#endif

static wchar_t name[16] = L"new";

static void *writer(void *arg)
{
	LOCK();
	wcscpy(name, L"opening");
	wcscpy(name, L"open");
	UNLOCK();
	return arg;
}

int main(void)
{
	pthread_t t;
	int half;

	pthread_create(&t, NULL, writer, NULL);
	LOCK();
	half = wcscmp(name, L"opening") == 0;
	UNLOCK();
	pthread_join(t, NULL);
	assert(!half);
	return 0;
}
