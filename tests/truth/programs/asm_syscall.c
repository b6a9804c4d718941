/*
 * expect: 4
 * match: assembly
 *
 * A system call by hand has no memory operand and reaches everything.
 */
#include <pthread.h>

static char text[] = "";

static void *thread(void *arg)
{
	long result, fd = 1;

	__asm__ __volatile__("syscall"
			     : "=a"(result)
			     : "a"(1L), "D"(fd), "S"(text), "d"(0L)
			     : "rcx", "r11", "memory");
	return result ? arg : NULL;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, thread, NULL);
	pthread_join(t, NULL);
	return 0;
}
