/* Agents sell seats: tested without the lock, tested again with it.  Who sees a seat sold reads its
 * ticket, of which half may not be written yet. */
#include <assert.h>

#include "bench.h"

#define MOST 100000

static struct ticket {
	int sold, price, agent;
} tickets[MOST];
static int seats, sold, revenue, refused;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void look(int seat)
{
	assert(tickets[seat].price == 10 + seat % 7);
	refused++;
}

static void sell(int seat, int agent)
{
	pthread_mutex_lock(&lock);
	if (!tickets[seat].sold) {
		tickets[seat].sold = 1;
		tickets[seat].agent = agent;
		sold++;
		if (seat % 200 == 199)
			rest(1);
		revenue += 10 + seat % 7;
		tickets[seat].price = 10 + seat % 7;
	}
	pthread_mutex_unlock(&lock);
}

static void *agent(void *arg)
{
	rest(2 * (int)(long)arg);
	for (int seat = 0; seat < seats; seat++) {
		if (tickets[seat].sold)
			look(seat);
		else
			sell(seat, (int)(long)arg);
		if (seat % 50 == 0)
			rest(1);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	seats = bench_size(argc, argv, 500);
	seats = seats > MOST ? MOST : seats;
	bench_run(2, (void *(*const[])(void *)){agent, agent});
	return sold != seats;
}
