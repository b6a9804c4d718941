/*
 * Accounts with a deposit that forgot the lock, a withdrawal that has it and a transfer that takes
 * both locks; four clients and main.
 * Bug: money appears or vanishes.
 * Cause: the deposit's read and write are not one step.
 * expect: assert
 * found: --strategy=random --runs=1000
 */
#include "../bench.h"

#define CLIENTS 4
#define START 100

struct account {
	pthread_mutex_t lock;
	int balance;
};

static struct account accounts[CLIENTS];

static void deposit(struct account *a, int amount)
{
	a->balance = a->balance + amount;
}

static void withdraw(struct account *a, int amount)
{
	pthread_mutex_lock(&a->lock);
	a->balance = a->balance - amount;
	pthread_mutex_unlock(&a->lock);
}

static void transfer(struct account *from, struct account *to, int amount)
{
	struct account *first = from < to ? from : to, *second = from < to ? to : from;

	pthread_mutex_lock(&first->lock);
	pthread_mutex_lock(&second->lock);
	from->balance = from->balance - amount;
	to->balance = to->balance + amount;
	pthread_mutex_unlock(&second->lock);
	pthread_mutex_unlock(&first->lock);
}

static void *client(void *number)
{
	struct account *own = &accounts[(intptr_t)number];

	deposit(own, 10);
	withdraw(own, 10);
	transfer(own, &accounts[((intptr_t)number + 1) % CLIENTS], 5);
	return NULL;
}

int main(void)
{
	int sum = 0;

	for (int i = 0; i < CLIENTS; i++) {
		pthread_mutex_init(&accounts[i].lock, NULL);
		accounts[i].balance = START;
	}
	for (int i = 0; i < CLIENTS; i++)
		start(client, i);
	join_all();
	for (int i = 0; i < CLIENTS; i++)
		sum += accounts[i].balance;
	assert(sum == CLIENTS * START);
	return 0;
}
