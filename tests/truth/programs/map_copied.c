/*
 * process_vm_writev of the process itself.
 * expect: 4
 * match: .*process_vm_writev
 * cc: -D_GNU_SOURCE
 */
#include <pthread.h>
#include <sys/uio.h>
#include <unistd.h>

static volatile int x;

static void *put(void *arg)
{
	int one = 1;
	struct iovec from = {&one, sizeof(one)}, to = {(void *)&x, sizeof(x)};

	(void)!process_vm_writev(getpid(), &from, 1, &to, 1, 0);
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, put, NULL);
	(void)x;
	pthread_join(t, NULL);
	return 0;
}
