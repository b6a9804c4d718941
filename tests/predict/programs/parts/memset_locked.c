/*
 * A structure is cleared under its lock; one field is always locked, another one never.
 * The unlocked one races with what clears everything, the locked one with nobody, and no two fields
 * belong together.
 *
 * expect race clears unlocked
 * expect race peeks unlocked
 * expect atomicity clears unlocked peeks
 */
#include <pthread.h>
#include <string.h>

static struct {
	long locked, also;
	long free;
} s;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile long seen;

static void *other(void *arg)
{
	pthread_mutex_lock(&lock);
	s.locked++;
	s.also++;
	pthread_mutex_unlock(&lock);
	s.free = 7; /* unlocked */
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, other, NULL);
	pthread_mutex_lock(&lock);
	memset(&s, 0, sizeof(s)); /* clears */
	pthread_mutex_unlock(&lock);
	pthread_mutex_lock(&lock);
	seen = s.free; /* peeks */
	pthread_mutex_unlock(&lock);
	pthread_join(t, NULL);
	return 0;
}
