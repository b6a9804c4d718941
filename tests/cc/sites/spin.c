/* Loops without state of their own are marked, others are not. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

_Atomic int flag, word, lock, taken;
volatile int plain;
int tries;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static int ready(void)
{
	return atomic_load(&flag) != 0;
}

static void waits(int twice)
{
	while (!atomic_load(&flag)) /* spin */
		;
	while (!plain) { /* spin */
		sched_yield();
	}
	while (!ready()) /* spin */
		usleep(1);
	while (atomic_exchange(&lock, 1)) /* spin */
		__builtin_ia32_pause();
	for (int expected = 0; !atomic_compare_exchange_strong(&taken, &expected, 1);) /* spin */
		expected = 0;
	for (;;) { /* spin */
		pthread_mutex_lock(&m);
		int done = plain;
		pthread_mutex_unlock(&m);
		if (done)
			break;
	}
}

/* The value the failed exchange found decides the next one. */
static void adds(int n)
{
	int old = atomic_load(&word);

	while (!atomic_compare_exchange_weak(&word, &old, old + n)) /* spin */
		;
}

/* Each of these counts, remembers or walks. */
static int counts(int limit, int *list)
{
	int seen = 0, last[2] = { 0, 0 };

	for (int i = 0; i < limit && !plain; i++)
		seen++;
	while (!plain && seen++ < limit)
		;
	while (!plain) {
		last[limit & 1]++;
		if (last[1] > limit)
			break;
	}
	while (*list != 3)
		list++;
	while (!plain)
		printf("waiting\n");
	return seen + last[0];
}

/* The guest is told what these carry from round to round, and parks when it is the same again. */
static int toggles(int limit)
{
	int v = 0, w = 0;

	while (v + w < limit) { /* spin */
		int x = plain, y = tries;

		if (v == x)
			v = y;
		else
			v = x;
	}
	return v;
}

static int keeps(int limit)
{
	int v = limit;

	while (!plain) { /* spin */
		int y = tries;

		if (y > 3)
			v = y;
	}
	return v;
}

static void *set(void *unused)
{
	usleep(20000);
	atomic_store(&flag, 1);
	plain = 1;
	return NULL;
}

int main(void)
{
	int list[] = { 1, 2, 3 };
	pthread_t t;

	atomic_store(&lock, 1);
	pthread_create(&t, NULL, set, NULL);
	while (!plain) /* spin */
		sched_yield();
	plain = 0;
	flag = 0;
	pthread_join(t, NULL);
	atomic_store(&lock, 2);
	pthread_create(&t, NULL, set, NULL);
	pthread_detach(t);
	usleep(1000);
	atomic_store(&lock, 0);
	waits(0);
	adds(3);
	plain = 1;
	printf("%d %d %d\n", counts(2, list) + toggles(-1), keeps(2), word);
	return 0;
}
