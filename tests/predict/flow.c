/*
 * What a thread does may depend on what it read without a branch: where a pointer leads, which
 * function is meant, what a new thread is given.  One thread prepares `item' and then says so
 * under the lock; the other one reads that and reaches `item' through it.  Nothing is wrong in any
 * of the cases (first argument), and taking the read for one that nobody depends on would be.
 */
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int item, other, slots[2];
static int *where = &other;
static long number;

static void touch_item(void)
{
	item++;
}

static void touch_other(void)
{
	other++;
}

static void (*what)(void) = touch_other;

static void *child(void *arg)
{
	if (arg)
		item++;
	return arg;
}

static void *producer(void *arg)
{
	item = 1;
	slots[1] = 1;
	pthread_mutex_lock(&lock);
	where = &item;
	what = touch_item;
	number = 1;
	pthread_mutex_unlock(&lock);
	return arg;
}

/* Each case reads one of them and goes on without a branch. */
static void by_pointer(void)
{
	pthread_mutex_lock(&lock);
	int *p = where;
	pthread_mutex_unlock(&lock);
	*p = 2;
}

static void by_function(void)
{
	pthread_mutex_lock(&lock);
	void (*f)(void) = what;
	pthread_mutex_unlock(&lock);
	f();
}

static void by_index(void)
{
	pthread_mutex_lock(&lock);
	long n = number;
	pthread_mutex_unlock(&lock);
	slots[n] = 2;
}

static void by_argument(void)
{
	pthread_t t;

	pthread_mutex_lock(&lock);
	long n = number;
	pthread_mutex_unlock(&lock);
	pthread_create(&t, NULL, child, (void *)n);
	pthread_join(t, NULL);
}

static void by_choice(void)
{
	pthread_mutex_lock(&lock);
	int *p = number ? &item : &other;
	pthread_mutex_unlock(&lock);
	*p = 2;
}

static void (*const cases[])(void) = {by_pointer, by_function, by_index, by_argument, by_choice};

int main(int argc, char **argv)
{
	pthread_t t;

	pthread_create(&t, NULL, producer, NULL);
	sched_yield();
	cases[argc > 1 ? atoi(argv[1]) : 0]();
	pthread_join(t, NULL);
	return 0;
}
