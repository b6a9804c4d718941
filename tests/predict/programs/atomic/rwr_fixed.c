/*
 * rwr with both reads in one section.
 *
 * expect none
 */
#include <heddle/heddle.h>

#include "../program.h"

static struct object price = OBJECT_INIT;

static void *quote(void *arg)
{
	int shown, charged;

	heddle_atomic_begin("quote");
	pthread_mutex_lock(&price.lock);
	shown = price.data;
	charged = price.data;
	pthread_mutex_unlock(&price.lock);
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
