/*
 * Two reads of a price that are meant to agree, each in a section of its own; a change falls
 * between.
 *
 * expect RWR
 */
#include <heddle/heddle.h>

#include "../program.h"

static struct object price = OBJECT_INIT;

static void *quote(void *arg)
{
	int shown, charged;

	heddle_atomic_begin("quote");
	shown = get(&price);
	charged = get(&price);
	heddle_atomic_end();
	heddle_assert(shown == charged);
	return arg;
}

static void *change(void *arg)
{
	set(&price, 7);
	return arg;
}

int main(void)
{
	pthread_t t[2];

	pthread_create(&t[0], NULL, quote, NULL);
	pthread_create(&t[1], NULL, change, NULL);
	join_all(t, 2);
	return 0;
}
