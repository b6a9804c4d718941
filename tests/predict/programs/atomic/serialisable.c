/*
 * What falls between here is as if it came before or after the block: reads between reads, a
 * read before a write, a write after nothing was read.
 *
 * expect none
 */
#include <heddle/heddle.h>

#include "../program.h"

static struct object a = OBJECT_INIT, b = OBJECT_INIT, c = OBJECT_INIT;

static void *block(void *arg)
{
	int sum;

	heddle_atomic_begin("block");
	sum = get(&a); /* the other one reads: R R R */
	sum += get(&a);
	sum += get(&b); /* R R W */
	set(&b, sum);
	set(&c, 1); /* W W W */
	set(&c, 2);
	heddle_atomic_end();
	return arg;
}

static void *other(void *arg)
{
	int sum = get(&a);

	sum += get(&b);
	set(&c, sum);
	return arg;
}

int main(void)
{
	pthread_t t[2];

	pthread_create(&t[0], NULL, block, NULL);
	pthread_create(&t[1], NULL, other, NULL);
	join_all(t, 2);
	return 0;
}
