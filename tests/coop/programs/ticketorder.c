/*
 * Agents test "free" without the lock, sell under it in several writes, and read the details of a
 * sold ticket without it: a half-sold one is read.
 *
 * Expected: assertion
 */
#include <assert.h>
#include <pthread.h>

#include "nudge.h"

#define SEATS 3
struct ticket {
	int sold, buyer, price;
};
static struct ticket tickets[SEATS];
static pthread_mutex_t desk = PTHREAD_MUTEX_INITIALIZER;

static void sell(struct ticket *t, int agent)
{
	pthread_mutex_lock(&desk);
	if (!t->sold) {
		t->sold = 1;
		if (agent == 1 && t == &tickets[SEATS - 1]) {
			nudge_pass(0);
			nudge_wait(1);
		}
		t->buyer = agent;
		t->price = 10;
	}
	pthread_mutex_unlock(&desk);
}

static void *agent(void *arg)
{
	int number = (int)(long)arg;

	if (number == 2)
		nudge_wait(0);
	for (int i = SEATS - 1; i >= 0; i--) {
		struct ticket *t = &tickets[i];

		if (!t->sold)
			sell(t, number);
		else
			assert(t->price == 10);
	}
	return NULL;
}

int main(void)
{
	pthread_t t[2];

	nudge_init(2);
	pthread_create(&t[0], NULL, agent, (void *)1);
	pthread_create(&t[1], NULL, agent, (void *)2);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
