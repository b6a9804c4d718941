/* det: join errors, detached threads, thread-specific destructors that synchronise, cancellation.
 */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

#include "check.h"

static pthread_mutex_t mu = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cv = PTHREAD_COND_INITIALIZER;
static pthread_key_t key;
static int destroyed, cleaned, released;
static sem_t never, go;

static void destroy(void *value)
{
	(void)value;
	pthread_mutex_lock(&mu);
	destroyed++;
	pthread_cond_broadcast(&cv);
	pthread_mutex_unlock(&mu);
}

static void *with_key(void *value)
{
	pthread_setspecific(key, value);
	pthread_exit(value);
}

static void clean(void *mutex)
{
	cleaned++;
	EXPECT(pthread_mutex_unlock(mutex) == 0);
}

static void *wait_in_cond(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&mu);
	pthread_cleanup_push(clean, &mu);
	for (;;)
		pthread_cond_wait(&cv, &mu);
	pthread_cleanup_pop(1);
	return NULL;
}

static void *wait_in_sem(void *unused)
{
	(void)unused;
	sem_wait(&never);
	return NULL;
}

static void *wait_in_sleep(void *unused)
{
	(void)unused;
	for (;;)
		sleep(100);
	return NULL;
}

static void *wait_in_pause(void *unused)
{
	(void)unused;
	for (;;)
		pause();
	return NULL;
}

static void *spin_async(void *unused)
{
	(void)unused;
	pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
	sem_post(&go);
	for (;;)
		continue;
	return NULL;
}

static void *detached(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&mu);
	released = 1;
	pthread_cond_broadcast(&cv);
	pthread_mutex_unlock(&mu);
	return NULL;
}

static void cancel_one(void *(*start)(void *))
{
	pthread_t t;
	void *value;
	EXPECT(pthread_create(&t, NULL, start, NULL) == 0);
	if (start == spin_async)
		sem_wait(&go);
	usleep(1000);
	EXPECT(pthread_cancel(t) == 0);
	EXPECT(pthread_join(t, &value) == 0);
	EXPECT(value == PTHREAD_CANCELED);
}

int main(void)
{
	pthread_t t;
	void *value;
	sem_init(&never, 0, 0);
	sem_init(&go, 0, 0);
	EXPECT(pthread_join(pthread_self(), NULL) == EDEADLK);
	pthread_key_create(&key, destroy);
	pthread_create(&t, NULL, with_key, &key);
	EXPECT(pthread_join(t, &value) == 0 && value == &key);
	EXPECT(destroyed == 1);
	cancel_one(wait_in_cond);
	EXPECT(cleaned == 1);
	cancel_one(wait_in_sem);
	cancel_one(wait_in_sleep);
	cancel_one(wait_in_pause);
	cancel_one(spin_async);
	pthread_create(&t, NULL, detached, NULL);
	EXPECT(pthread_detach(t) == 0);
	pthread_mutex_lock(&mu);
	while (!released)
		pthread_cond_wait(&cv, &mu);
	pthread_mutex_unlock(&mu);
	return 0;
}
