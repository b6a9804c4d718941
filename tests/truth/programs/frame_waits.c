/*
 * Functions that wait until nobody uses their variables any more, again and again at the same place
 * on the stack.
 *
 * expect: 0
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

struct request {
	int number, answer, done;
};

static struct request *waiting;

static __attribute__((noinline)) int ask(int number)
{
	struct request r = {number, 0, 0};

	pthread_mutex_lock(&lock);
	waiting = &r;
	pthread_cond_broadcast(&changed);
	while (!r.done)
		pthread_cond_wait(&changed, &lock);
	pthread_mutex_unlock(&lock);
	return r.answer;
}

static __attribute__((noinline)) int ask_deeper(int number)
{
	volatile int room[8] = {number};

	return ask(room[0]) + room[1];
}

static void *answerer(void *arg)
{
	for (int i = 0; i < 3; i++) {
		pthread_mutex_lock(&lock);
		while (!waiting)
			pthread_cond_wait(&changed, &lock);
		waiting->answer = waiting->number * 2;
		waiting->done = 1;
		waiting = NULL;
		pthread_cond_broadcast(&changed);
		pthread_mutex_unlock(&lock);
	}
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, answerer, NULL);
	assert(ask(1) == 2);
	assert(ask_deeper(2) == 4);
	assert(ask(3) == 6);
	pthread_join(t, NULL);
	return 0;
}
