/*
 * A block inside a block belongs to the outer one; an end too many and a block that its thread
 * never ends do no harm.
 *
 * expect RWR
 */
#include <heddle/heddle.h>

#include "../program.h"

static struct object price = OBJECT_INIT;

static void *quote(void *arg)
{
	int shown, charged;

	heddle_atomic_end();
	heddle_atomic_begin("outer");
	heddle_atomic_begin("inner");
	shown = get(&price);
	heddle_atomic_end();
	charged = get(&price);
	return shown + charged < 0 ? arg : NULL;
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
