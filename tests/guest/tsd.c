/* Thread-specific data: values per thread, destructors in rounds, reuse of keys. */
#include <errno.h>
#include <limits.h>
#include <pthread.h>

#include "check.h"

static pthread_key_t key, second, early;
static int destroyed, rounds;

static void destroy(void *value)
{
	__atomic_fetch_add(&destroyed, (int)(long)value, __ATOMIC_SEQ_CST);
}

/* Puts itself back: destructors run again, at most four times. */
static void again(void *value)
{
	__atomic_fetch_add(&rounds, 1, __ATOMIC_SEQ_CST);
	CHECK(pthread_setspecific(second, value) == 0);
}

static void *use(void *arg)
{
	CHECK(pthread_getspecific(key) == NULL);
	CHECK(pthread_setspecific(key, arg) == 0);
	CHECK(pthread_setspecific(second, arg) == 0);
	CHECK(pthread_setspecific(early, arg) == 0);
	CHECK(pthread_getspecific(key) == arg && pthread_getspecific(early) == arg);
	return NULL;
}

__attribute__((constructor)) static void make_early(void)
{
	CHECK(pthread_key_create(&early, NULL) == 0);
	CHECK(pthread_setspecific(early, &early) == 0);
}

int main(void)
{
	pthread_key_t other;
	pthread_t t[2];

	CHECK(pthread_getspecific(early) == &early);
	CHECK(pthread_key_create(&key, destroy) == 0);
	CHECK(pthread_key_create(&second, again) == 0);
	CHECK(pthread_setspecific(key, &key) == 0);
	for (long i = 0; i < 2; i++)
		CHECK(pthread_create(&t[i], NULL, use, (void *)(i + 1)) == 0);
	for (int i = 0; i < 2; i++)
		CHECK(pthread_join(t[i], NULL) == 0);
	CHECK(destroyed == 3);
	CHECK(rounds == 2 * PTHREAD_DESTRUCTOR_ITERATIONS);
	CHECK(pthread_getspecific(key) == &key);
	CHECK(pthread_getspecific(early) == &early);
	CHECK(pthread_key_delete(key) == 0);
	CHECK(pthread_key_delete(key) == EINVAL);
	CHECK(pthread_setspecific(key, &key) == EINVAL);
	CHECK(pthread_key_create(&other, NULL) == 0);
	CHECK(pthread_getspecific(other) == NULL);
	SUCCESS();
	return 0;
}
