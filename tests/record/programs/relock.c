/* Locks in vain, once on every kind of lock that says so, and after an owner that died. */
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t checked, robust;
static pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;

static void init(pthread_mutex_t *m, int type, int robustness)
{
	pthread_mutexattr_t a;

	pthread_mutexattr_init(&a);
	pthread_mutexattr_settype(&a, type);
	pthread_mutexattr_setrobust(&a, robustness);
	pthread_mutex_init(m, &a);
}

static void *die_with_it(void *arg)
{
	pthread_mutex_lock(&robust);
	return arg;
}

int main(void)
{
	pthread_t t;
	int wrong = 0;

	init(&checked, PTHREAD_MUTEX_ERRORCHECK, PTHREAD_MUTEX_STALLED);
	init(&robust, PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_ROBUST);
	pthread_create(&t, NULL, die_with_it, NULL);  /* 1 */
	pthread_join(t, NULL);			      /* 2 */
	wrong |= pthread_mutex_lock(&robust) != EOWNERDEAD; /* 3 */
	pthread_mutex_consistent(&robust);
	pthread_mutex_unlock(&robust);		      /* 4 */
	wrong |= pthread_mutex_lock(&checked) != 0;   /* 5 */
	wrong |= pthread_mutex_lock(&checked) != EDEADLK;
	pthread_mutex_unlock(&checked);		      /* 6 */
	wrong |= pthread_rwlock_wrlock(&shared) != 0; /* 7 */
	wrong |= pthread_rwlock_wrlock(&shared) != EDEADLK;
	wrong |= pthread_rwlock_rdlock(&shared) != EDEADLK;
	pthread_rwlock_unlock(&shared);		      /* 8 */
	return wrong;
}
