/*
 * The state of a transfer is tested and set by two threads, without the lock of its buffer.
 */
#include "../program.h"

static int state;
static struct object buffer = OBJECT_INIT;

static void *transfer(void *arg)
{
	if (!state)
		state = 1;
	set(&buffer, 1);
	pass(&buffer.lock, 4);
	return arg;
}

int main(void)
{
	pthread_t t[1];
	int sum;

	pthread_create(&t[0], NULL, transfer, NULL);
	step_back();
	state = 2;
	sum = get(&buffer);
	sum += get(&buffer);
	pass(&buffer.lock, 3);
	join_all(t, 1);
	return sum < 0;
}
