/*
 * The parent stores the new thread's handle after the thread exists, and a debug note before its
 * first section: the child reads both.
 */
#include "../program.h"

static int id, debug, handle;
static struct object gate = OBJECT_INIT;

static void *child(void *arg)
{
	int sum = get(&gate);

	sum += id;
	sum += debug;
	sum += get(&gate);
	sum += handle;
	pass(&gate.lock, 2);
	return sum < 0 ? arg : NULL;
}

int main(void)
{
	pthread_t t[1];

	id = 1;
	pthread_create(&t[0], NULL, child, NULL);
	debug = 1;
	set(&gate, 1);
	handle = 1;
	pass(&gate.lock, 3);
	join_all(t, 1);
	return 0;
}
