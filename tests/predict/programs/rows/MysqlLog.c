/*
 * Rotating a log closes and opens it in two sections; an insert looks at its type without the lock
 * and skips the log in between.
 */
#include "../program.h"

static int log_type = 1;
static struct object entries = OBJECT_INIT;

static void *insert(void *arg)
{
	int open = log_type;

	pass(&entries.lock, 2);
	set(&entries, 1);
	open += get(&entries);
	pass(&entries.lock, 1);
	return open < 0 ? arg : NULL;
}

int main(void)
{
	pthread_t t[1];

	pthread_create(&t[0], NULL, insert, NULL);
	pass(&entries.lock, 1);
	pthread_mutex_lock(&entries.lock);
	log_type = 0;
	pthread_mutex_unlock(&entries.lock);
	pass(&entries.lock, 1);
	pthread_mutex_lock(&entries.lock);
	log_type = 1;
	pthread_mutex_unlock(&entries.lock);
	pass(&entries.lock, 1);
	join_all(t, 1);
	return 0;
}
