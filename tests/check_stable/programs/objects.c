/* Conditions, barriers, spin locks and locks for readers in one section each; nothing goes wrong.
 */
#include <assert.h>
#include <pthread.h>

#include "heddle/stable.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t s;
static pthread_barrier_t b;
static int ready, value;

static void *consume(void *arg)
{
	pcs_enter();
	pthread_mutex_lock(&m);
	while (!ready)
		pthread_cond_wait(&c, &m);
	pthread_mutex_unlock(&m);
	pthread_rwlock_rdlock(&l);
	assert(value == 1);
	pthread_rwlock_unlock(&l);
	pthread_barrier_wait(&b);
	pcs_exit();
	return arg;
}

static void *produce(void *arg)
{
	pcs_enter();
	pthread_rwlock_wrlock(&l);
	pthread_spin_lock(&s);
	value = 1;
	pthread_spin_unlock(&s);
	pthread_rwlock_unlock(&l);
	pthread_mutex_lock(&m);
	ready = 1;
	pthread_cond_signal(&c);
	pthread_mutex_unlock(&m);
	pthread_barrier_wait(&b);
	pcs_exit();
	return arg;
}

int main(void)
{
	pthread_t t[2];

	pthread_spin_init(&s, 0);
	pthread_barrier_init(&b, NULL, 2);
	pthread_create(&t[0], NULL, consume, NULL);
	pthread_create(&t[1], NULL, produce, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
