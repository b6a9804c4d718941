/*
 * The other thread is joined before the block begins: nothing can fall between.
 *
 * expect none
 */
#include <heddle/heddle.h>

#include "../program.h"

static struct object price = OBJECT_INIT;

static void *change(void *arg)
{
	set(&price, 7);
	return arg;
}

int main(void)
{
	pthread_t t[1];
	int shown, charged;

	pthread_create(&t[0], NULL, change, NULL);
	join_all(t, 1);
	heddle_atomic_begin("quote");
	shown = get(&price);
	charged = get(&price);
	heddle_atomic_end();
	heddle_assert(shown == charged);
	return 0;
}
