/*
 * wwr with one section around write and read.
 *
 * expect none
 */
#include <heddle/heddle.h>

#include "../program.h"

static struct object owner = OBJECT_INIT;

static void *claim(void *arg)
{
	int mine;

	heddle_atomic_begin("claim");
	pthread_mutex_lock(&owner.lock);
	owner.data = 1;
	mine = owner.data == 1;
	pthread_mutex_unlock(&owner.lock);
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
