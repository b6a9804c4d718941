/*
 * Destructor functions run after the exit handlers, the last of the file first; correct, and the
 * search ends.
 *
 * expect: 0
 * drawn
 */
#include <assert.h>
#include <stdlib.h>

static int step;

static void handler(void)
{
	assert(step++ == 0);
}

__attribute__((destructor(200))) static void second(void)
{
	assert(step++ == 1);
}

__attribute__((destructor(150))) static void third(void)
{
	assert(step++ == 2);
}

int main(void)
{
	return atexit(handler);
}
