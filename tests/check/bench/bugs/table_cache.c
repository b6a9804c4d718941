/*
 * A server's cache of tables: requests open a table by name, use it and close it; the cache drops
 * tables nobody uses when it is full.
 * Bug: a table is used after it was freed.
 * Cause: a hit takes the table out of its critical section before it counts itself as a user.
 * expect: use-after-free
 * found: --strategy=random --runs=2000
 */
#include <stdio.h>
#include <string.h>

#include "../bench.h"

#define SLOTS 2
#define CLIENTS 3
#define REQUESTS 4

struct table {
	char name[16];
	int users, rows;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct table *cache[SLOTS];

static struct table *look_up(const char *name)
{
	struct table *found = NULL;

	pthread_mutex_lock(&lock);
	for (int i = 0; i < SLOTS; i++)
		if (cache[i] && strcmp(cache[i]->name, name) == 0)
			found = cache[i];
	pthread_mutex_unlock(&lock);
	return found;
}

static struct table *read_table(const char *name)
{
	struct table *t = calloc(1, sizeof(*t));

	strcpy(t->name, name);
	t->rows = (int)strlen(name);
	t->users = 1;
	return t;
}

/* Puts a table into a free slot, or into that of a table nobody uses; 0 when all are used. */
static int keep(struct table *t)
{
	int kept = 0;

	pthread_mutex_lock(&lock);
	for (int i = 0; i < SLOTS && !kept; i++)
		if (!cache[i] || cache[i]->users == 0) {
			free(cache[i]);
			cache[i] = t;
			kept = 1;
		}
	pthread_mutex_unlock(&lock);
	return kept;
}

static void add_users(struct table *t, int change)
{
	pthread_mutex_lock(&lock);
	t->users += change;
	pthread_mutex_unlock(&lock);
}

static void serve(int number)
{
	char name[16];
	struct table *t;

	snprintf(name, sizeof(name), "table%d", number);
	t = look_up(name);
	if (t) {
		add_users(t, 1);
	} else {
		t = read_table(name);
		if (!keep(t)) {
			free(t);
			return;
		}
	}
	assert(t->rows == 6);
	add_users(t, -1);
}

static void *client(void *number)
{
	for (int i = 0; i < REQUESTS; i++)
		serve(((int)(intptr_t)number + i) % 4);
	return NULL;
}

int main(void)
{
	for (int i = 0; i < CLIENTS; i++)
		start(client, i);
	join_all();
	for (int i = 0; i < SLOTS; i++)
		free(cache[i]);
	return 0;
}
