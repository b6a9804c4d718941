/*
 * The only marked block is private. The two sections of the first thread would be guessed to
 * belong together, but a program that has marks says what it means.
 *
 * expect none
 */
#include <heddle/heddle.h>

#include "../program.h"

static struct object price = OBJECT_INIT, mine = OBJECT_INIT;

static void *poll(void *arg)
{
	int sum;

	heddle_atomic_begin("mine");
	add(&mine);
	add(&mine);
	heddle_atomic_end();
	pthread_mutex_lock(&price.lock);
	sum = price.data;
	pthread_mutex_unlock(&price.lock);
	pthread_mutex_lock(&price.lock);
	sum += price.data;
	pthread_mutex_unlock(&price.lock);
	return sum < 0 ? arg : NULL;
}

static void *change(void *arg)
{
	set(&price, 7);
	return arg;
}

int main(void)
{
	pthread_t t[2];

	pthread_create(&t[0], NULL, poll, NULL);
	pthread_create(&t[1], NULL, change, NULL);
	join_all(t, 2);
	return 0;
}
