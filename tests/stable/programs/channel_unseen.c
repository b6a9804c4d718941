/* nondet: what is written by a system call that nobody sees wakes those who wait in the schedule. */
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "check.h"

static int counter, line[2];

static long unseen(long number, long a, const void *b, long c)
{
	long result;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(number), "D"(a), "S"(b), "d"(c)
			 : "rcx", "r11", "memory");
	return result;
}

static void *waits(void *unused)
{
	struct pollfd p = {.fd = line[0], .events = POLLIN};
	uint64_t n;
	char c;

	(void)unused;
	EXPECT(read(counter, &n, sizeof(n)) == sizeof(n) && n == 5);
	EXPECT(poll(&p, 1, -1) == 1 && read(line[0], &c, 1) == 1);
	return NULL;
}

int main(void)
{
	struct timespec pause = {.tv_nsec = 50000000};
	uint64_t n = 5;
	pthread_t t;

	counter = eventfd(0, 0);
	EXPECT(counter >= 0 && pipe(line) == 0);
	pthread_create(&t, NULL, waits, NULL);
	nanosleep(&pause, NULL);
	EXPECT(unseen(SYS_write, counter, &n, sizeof(n)) == sizeof(n));
	nanosleep(&pause, NULL);
	EXPECT(unseen(SYS_write, line[1], "x", 1) == 1);
	/* Nobody else does anything for a while. */
	for (int i = 0; i < 20; i++)
		nanosleep(&pause, NULL);
	pthread_join(t, NULL);
	return 0;
}
