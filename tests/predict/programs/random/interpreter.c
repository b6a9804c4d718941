/*
 * Runs a program given as arguments, one per thread: "w0 l1 r2 u1" and so on, each operation a
 * letter and the number of what it is about.
 *
 *   r w   read, write a variable
 *   l u   lock, unlock a mutex
 *   a b   read, write atomically
 *   W     lock 0, wait until signalled, unlock
 *   S B   lock 0, say so to one waiter or all, unlock
 *
 * Only the functions do_* are the program; what reads the arguments is not looked at.
 */
#include <stdatomic.h>
#include <stdlib.h>

#include "../program.h"

#define HARNESS __attribute__((disable_sanitizer_instrumentation))
#define MOST 4

static int variables[10], ready[MOST];
static atomic_int atomics[10];
static pthread_mutex_t locks[MOST] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
				      PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_cond_t conds[MOST] = {PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER,
				     PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER};

static int do_read(int *p)
{
	return *p;
}

static void do_write(int *p)
{
	*p = 1;
}

static int do_load(atomic_int *p)
{
	return atomic_load(p);
}

static void do_store(atomic_int *p)
{
	atomic_store(p, 1);
}

static void do_wait(int n)
{
	pthread_mutex_lock(&locks[0]);
	while (!ready[n])
		pthread_cond_wait(&conds[n], &locks[0]);
	pthread_mutex_unlock(&locks[0]);
}

static void do_signal(int n)
{
	pthread_mutex_lock(&locks[0]);
	ready[n] = 1;
	pthread_cond_signal(&conds[n]);
	pthread_mutex_unlock(&locks[0]);
}

static void do_broadcast(int n)
{
	pthread_mutex_lock(&locks[0]);
	ready[n] = 1;
	pthread_cond_broadcast(&conds[n]);
	pthread_mutex_unlock(&locks[0]);
}

HARNESS static int one(char op, int n)
{
	switch (op) {
	case 'r':
		return do_read(&variables[n]);
	case 'w':
		do_write(&variables[n]);
		break;
	case 'a':
		return do_load(&atomics[n]);
	case 'b':
		do_store(&atomics[n]);
		break;
	case 'l':
		pthread_mutex_lock(&locks[n]);
		break;
	case 'u':
		pthread_mutex_unlock(&locks[n]);
		break;
	case 'W':
		do_wait(n);
		break;
	case 'S':
		do_signal(n);
		break;
	case 'B':
		do_broadcast(n);
		break;
	default:
		abort();
	}
	return 0;
}

HARNESS static void *run(void *arg)
{
	for (const char *s = arg; *s; s += s[2] ? 3 : 2)
		one(s[0], s[1] - '0');
	return NULL;
}

HARNESS int main(int argc, char **argv)
{
	pthread_t t[MOST];

	for (int i = 2; i < argc && i < MOST + 2; i++)
		pthread_create(&t[i - 2], NULL, run, argv[i]);
	if (argc > 1)
		run(argv[1]);
	for (int i = 2; i < argc && i < MOST + 2; i++)
		pthread_join(t[i - 2], NULL);
	return 0;
}
