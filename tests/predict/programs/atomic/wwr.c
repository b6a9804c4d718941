/*
 * A thread enters its number and looks it up again; another one's falls between.
 *
 * expect WWR
 */
#include <heddle/heddle.h>

#include "../program.h"

static struct object owner = OBJECT_INIT;

static void *claim(void *arg)
{
	int mine;

	heddle_atomic_begin("claim");
	set(&owner, 1);
	mine = get(&owner) == 1;
	heddle_atomic_end();
	heddle_assert(mine);
	return arg;
}

static void *seize(void *arg)
{
	set(&owner, 2);
	return arg;
}

int main(void)
{
	pthread_t t[2];

	pthread_create(&t[0], NULL, claim, NULL);
	pthread_create(&t[1], NULL, seize, NULL);
	join_all(t, 2);
	return 0;
}
