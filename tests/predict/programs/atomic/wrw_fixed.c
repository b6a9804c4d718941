/*
 * wrw with a lock around both marks and around the reader.
 *
 * expect none
 */
#include <heddle/heddle.h>

#include "../program.h"

enum { OLD, INVALID, NEW };
static struct object mark = OBJECT_INIT;

static void *fill(void *arg)
{
	heddle_atomic_begin("fill");
	pthread_mutex_lock(&mark.lock);
	mark.data = INVALID;
	mark.data = NEW;
	pthread_mutex_unlock(&mark.lock);
	heddle_atomic_end();
	return arg;
}

static void *look(void *arg)
{
	int seen = get(&mark);

	heddle_assert(seen != INVALID);
	return arg;
}

int main(void)
{
	pthread_t t[2];

	pthread_create(&t[0], NULL, fill, NULL);
	pthread_create(&t[1], NULL, look, NULL);
	join_all(t, 2);
	return 0;
}
