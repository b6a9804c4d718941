/*
 * A pool that hands out objects, made when none is idle, up to a maximum.
 * Bug: more objects are active than the maximum.
 * Cause: the count is looked at in one critical section and raised in another.
 * expect: assert
 * found: --strategy=random --runs=1000
 */
#include "../bench.h"

#define MAX_ACTIVE 2
#define USERS 3

struct object {
	struct object *next;
	int used;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct object *idle;
static int active;

static int may_borrow(void)
{
	int may;

	pthread_mutex_lock(&lock);
	may = active < MAX_ACTIVE;
	pthread_mutex_unlock(&lock);
	return may;
}

static struct object *borrow(void)
{
	struct object *o;

	pthread_mutex_lock(&lock);
	active++;
	assert(active <= MAX_ACTIVE);
	o = idle;
	if (o)
		idle = o->next;
	pthread_mutex_unlock(&lock);
	return o ? o : calloc(1, sizeof(*o));
}

static void give_back(struct object *o)
{
	pthread_mutex_lock(&lock);
	o->next = idle;
	idle = o;
	active--;
	pthread_mutex_unlock(&lock);
}

static void *user(void *arg)
{
	if (may_borrow()) {
		struct object *o = borrow();

		o->used++;
		give_back(o);
	}
	return arg;
}

int main(void)
{
	for (int i = 0; i < USERS; i++)
		start(user, i);
	join_all();
	while (idle) {
		struct object *o = idle;

		idle = o->next;
		free(o);
	}
	return 0;
}
