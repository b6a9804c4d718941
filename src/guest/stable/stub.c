/*
 * The hints without the runtime: they do nothing, except where a program relies on an effect.
 */
#include "heddle/stable.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

#define EXPORT __attribute__((visibility("default")))

EXPORT void heddle_soba_init(int group_size, void *key, int timeout)
{
	(void)group_size;
	(void)key;
	(void)timeout;
}

EXPORT void heddle_soba_wait(void *key)
{
	(void)key;
}

EXPORT void heddle_soba_destroy(void *key)
{
	(void)key;
}

EXPORT void heddle_pcs_enter(void)
{
}

EXPORT void heddle_pcs_exit(void)
{
}

EXPORT void heddle_pcs_barrier_exit(void *key, int n)
{
	(void)key;
	(void)n;
}

EXPORT void heddle_set_base_time(const struct timespec *base)
{
	(void)base;
}

EXPORT void heddle_set_base_timeval(const struct timeval *base)
{
	(void)base;
}

EXPORT void heddle_adhoc_yield(void)
{
	sched_yield();
}

EXPORT void heddle_adhoc_set(volatile int *variable, int value)
{
	__atomic_store_n(variable, value, __ATOMIC_SEQ_CST);
}

EXPORT void heddle_adhoc_wait(volatile int *variable, int value)
{
	while (__atomic_load_n(variable, __ATOMIC_SEQ_CST) != value)
		sched_yield();
}

EXPORT void heddle_symbolic(void *data, size_t bytes)
{
	(void)data;
	(void)bytes;
}

EXPORT void heddle_concrete(void *data, size_t bytes)
{
	(void)data;
	(void)bytes;
}

EXPORT void heddle_task_begin(void)
{
}

EXPORT void heddle_task_end(void)
{
}

EXPORT void heddle_schedule_ignore(void *object)
{
	(void)object;
}

EXPORT void heddle_stable_atomic_begin(void *addr)
{
	(void)addr;
}

EXPORT void heddle_stable_atomic_end(void *addr)
{
	(void)addr;
}

struct member {
	void (*fn)(void *, int, int);
	void *arg;
	int thread, n;
	pthread_t os;
	int started;
};

static void *member_run(void *argument)
{
	struct member *m = argument;
	m->fn(m->arg, m->thread, m->n);
	return NULL;
}

/* A member whose thread cannot be created runs in the caller's. */
EXPORT void heddle_parallel(int n, void (*fn)(void *arg, int thread, int n), void *arg)
{
	struct member *team = n > 1 ? calloc((size_t)n, sizeof(*team)) : NULL;
	for (int i = 1; team && i < n; i++) {
		team[i] = (struct member){.fn = fn, .arg = arg, .thread = i, .n = n};
		team[i].started = pthread_create(&team[i].os, NULL, member_run, &team[i]) == 0;
	}
	fn(arg, 0, n);
	for (int i = 1; i < n; i++) {
		if (team && team[i].started)
			pthread_join(team[i].os, NULL);
		else
			fn(arg, i, n);
	}
	free(team);
}
