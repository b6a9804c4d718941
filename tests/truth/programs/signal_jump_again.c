/*
 * A jump out of a handler with the mask saved unblocks the signal: it can come again.
 *
 * expect: 0
 * drawn
 */
#include <assert.h>
#include <setjmp.h>
#include <signal.h>

static sigjmp_buf back;
static volatile int count;

static void leave(int number)
{
	count++;
	siglongjmp(back, 1);
}

int main(void)
{
	signal(SIGUSR1, leave);
	if (sigsetjmp(back, 1) == 0 || count < 3)
		raise(SIGUSR1);
	assert(count == 3);
	return 0;
}
