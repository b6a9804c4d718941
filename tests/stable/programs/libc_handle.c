/* det: functions that the program looks up in the C library's own handle. */
#include <dlfcn.h>
#include <pthread.h>

#include "check.h"

#define ROUNDS 200

static int (*lock)(pthread_mutex_t *), (*unlock)(pthread_mutex_t *);
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static unsigned order;

static void *notes(void *number)
{
	for (int i = 0; i < ROUNDS; i++) {
		lock(&mutex);
		order = order * 31 + (unsigned)(long)number;
		unlock(&mutex);
	}
	return NULL;
}

int main(void)
{
	pthread_t threads[3];
	void *library = dlopen("libc.so.6", RTLD_NOW);
	EXPECT(library != NULL);
	*(void **)&lock = dlsym(library, "pthread_mutex_lock");
	*(void **)&unlock = dlsym(library, "pthread_mutex_unlock");
	EXPECT(lock == pthread_mutex_lock && unlock == pthread_mutex_unlock);
	/* What is not wrapped, or nowhere, is found as ever. */
	EXPECT(dlsym(library, "qsort") == (void *)qsort);
	EXPECT(dlsym(library, "no_such_function") == NULL && dlerror() != NULL);
	for (long i = 0; i < 3; i++)
		EXPECT(pthread_create(&threads[i], NULL, notes, (void *)(i + 1)) == 0);
	for (int i = 0; i < 3; i++)
		EXPECT(pthread_join(threads[i], NULL) == 0);
	printf("%u\n", order);
	return 0;
}
