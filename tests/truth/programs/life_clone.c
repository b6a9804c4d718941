/*
 * A thread made with clone() is not under control.
 *
 * expect: 4
 * match: clone
 */
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>

static char stack[1 << 16];
static atomic_int done;

static int body(void *arg)
{
	atomic_store(&done, 1);
	return 0;
}

int main(void)
{
	clone(body, stack + sizeof(stack), CLONE_VM | CLONE_FS | CLONE_FILES | SIGCHLD, NULL);
	while (!atomic_load(&done))
		continue;
	return 0;
}
