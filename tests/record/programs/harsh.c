/* What programs do to themselves: harsh MODE.  Two threads count before and after it. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static volatile long shared;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *count(void *arg)
{
	for (long i = 0; i < 1500000; i++)
		if (shared % 3 == 0)
			shared++;
		else
			shared += 2;
	return arg;
}
static void twice(void)
{
	pthread_t t[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, count, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
}
static void *leaves(void *arg)
{
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
	if (shared >= 0)
		pthread_exit(NULL);
	return arg;
}
static void *ends_all(void *arg)
{
	_exit(9);
	return arg;
}
static void again(int number)
{
	*(volatile int *)(long)number = 1;
}
static void limit(int what, rlim_t to)
{
	struct rlimit r = {to, to};

	setrlimit(what, &r);
}
static int is(const char *mode, const char *name)
{
	return !strcmp(mode, name);
}
static void be_harsh(const char *mode)
{
	pthread_t t;
	sigset_t all;

	if (is(mode, "close"))
		for (int fd = 3; fd < 1024; fd++)
			close(fd);
	if (is(mode, "chdir") && chdir("/"))
		_exit(99);
	if (is(mode, "drop"))
		(void)!setuid(65534);
	if (is(mode, "chroot"))
		(void)!chroot("/proc/self/fdinfo");
	if (is(mode, "files"))
		limit(RLIMIT_NOFILE, 3);
	if (is(mode, "memory"))
		limit(RLIMIT_AS, 1 << 20);
	if (is(mode, "size"))
		limit(RLIMIT_FSIZE, 4096);
	if (is(mode, "exit"))
		pthread_create(&t, NULL, ends_all, NULL), pause();
	if (is(mode, "exec"))
		execl("/bin/echo", "echo", "another", (char *)NULL);
	if (is(mode, "double"))
		signal(SIGSEGV, again), again(16);
	if (is(mode, "block"))
		sigfillset(&all), pthread_sigmask(SIG_BLOCK, &all, NULL);
	for (int i = 0; i < 50 && is(mode, "early"); i++)
		pthread_create(&t, NULL, leaves, NULL), pthread_detach(t);
	if (is(mode, "last"))
		pthread_create(&t, NULL, count, NULL), pthread_exit(NULL);
}
int main(int argc, char **argv)
{
	twice();
	puts("before");
	fflush(stdout);
	be_harsh(argv[1]);
	if (!is(argv[1], "memory"))
		twice();
	puts("after");
	fflush(stdout);
	if (argc > 2)
		abort();
	return 5;
}
