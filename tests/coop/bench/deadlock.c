/* Two accounts, two locks, taken in opposite order. */
#include "bench.h"

static struct account {
	pthread_mutex_t lock;
	int money;
} one = {PTHREAD_MUTEX_INITIALIZER, 100}, two = {PTHREAD_MUTEX_INITIALIZER, 100};
static int window;

static void transfer(struct account *from, struct account *to, int amount)
{
	rest(1);
	pthread_mutex_lock(&from->lock);
	rest(window);
	pthread_mutex_lock(&to->lock);
	from->money -= amount;
	to->money += amount;
	pthread_mutex_unlock(&to->lock);
	pthread_mutex_unlock(&from->lock);
}

static void *there(void *arg)
{
	transfer(&one, &two, 3);
	return arg;
}

static void *back(void *arg)
{
	rest(1);
	transfer(&two, &one, 7);
	return arg;
}

int main(int argc, char **argv)
{
	window = bench_size(argc, argv, 1);
	bench_run(2, (void *(*const[])(void *)){there, back});
	return one.money + two.money != 200;
}
