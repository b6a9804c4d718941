#include "guest/check/hook/life/tsd.h"

#include <errno.h>
#include <limits.h>

#include "guest/check/sched/core.h"
#include "guest/check/sched/upcall.h"
#include "guest/check/hook/sync/mutex.h"
#include "guest/check/mem/undo.h"
#include "guest/os/real.h"
#include "guest/check/rec/rec.h"

struct key {
	uint8_t used;
	void (*destructor)(void *);
};

/* A pending destructor of a thread_local object. */
struct local_destructor {
	void (*function)(void *);
	void *object;
	struct local_destructor *next;
};

#define MAX_LOCALS 4096

static struct key keys[RT_MAX_KEYS];
static struct local_destructor locals[MAX_LOCALS];
static RT_RUN struct local_destructor *free_locals;
static RT_RUN uint32_t locals_used;
static RT_RUN unsigned int key_limit; /* numbers from here on were never given out */

static struct key *key_at(unsigned int key)
{
	unsigned int i = key - TSD_FIRST_KEY;

	return i < RT_MAX_KEYS && keys[i].used ? &keys[i] : NULL;
}

/* A number is used again only with NULL in every thread. */
static void clear_everywhere(unsigned int i)
{
	struct rt_thread *t;

	for (uint32_t tid = 0; (t = thread_by_tid(tid)) != NULL; tid++)
		t->keys[i] = NULL;
}

int tsd_key_create(unsigned int *key, void (*destructor)(void *))
{
	unsigned int i = 0;

	while (i < RT_MAX_KEYS && keys[i].used)
		i++;
	if (i == RT_MAX_KEYS)
		return EAGAIN;
	undo_touch(&keys[i], sizeof(keys[i]));
	keys[i] = (struct key){1, destructor};
	if (i >= key_limit)
		key_limit = i + 1;
	undo_touch(key, sizeof(*key));
	*key = TSD_FIRST_KEY + i;
	return 0;
}

int tsd_key_delete(unsigned int key)
{
	struct key *k = key_at(key);

	/* Others that end before get their destructors, others that end after do not. */
	if (!sched_alone())
		rt_unseen(sched_take_site(), "pthread_key_delete() beside other threads");
	if (!k)
		return EINVAL;
	undo_touch(k, sizeof(*k));
	k->used = 0;
	clear_everywhere(key - TSD_FIRST_KEY);
	return 0;
}

void *tsd_get(unsigned int key)
{
	return key_at(key) ? rt_self()->keys[key - TSD_FIRST_KEY] : NULL;
}

int tsd_set(unsigned int key, uintptr_t value)
{
	if (!key_at(key))
		return EINVAL;
	rt_self()->keys[key - TSD_FIRST_KEY] = (void *)value;
	return 0;
}

/* Code that is not instrumented may write anywhere. */
static void announce_call(const void *function)
{
	if (!rec_is_instrumented(function))
		undo_opaque();
}

static bool run_key_destructors(struct rt_thread *t)
{
	bool any = false;

	for (unsigned int i = 0; i < key_limit; i++) {
		void *value = t->keys[i];

		if (!value || !keys[i].used)
			continue;
		t->keys[i] = NULL;
		if (!keys[i].destructor)
			continue;
		any = true;
		announce_call((const void *)keys[i].destructor);
		keys[i].destructor(value);
	}
	return any;
}

void tsd_run_local_destructors(struct rt_thread *t)
{
	struct local_destructor *d;

	while ((d = t->tls_dtors) != NULL) {
		t->tls_dtors = d->next;
		void (*function)(void *) = d->function;
		void *object = d->object;

		undo_touch(d, sizeof(*d));
		d->next = free_locals;
		free_locals = d;
		announce_call((const void *)function);
		function(object);
	}
}

void hook_thread_end(struct rt_thread *t)
{
	t->exiting = 1;
	t->cancel_disabled = 1; /* destructors are no cancellation points */
	tsd_run_local_destructors(t);
	for (int round = 0; round < PTHREAD_DESTRUCTOR_ITERATIONS; round++)
		if (!run_key_destructors(t))
			break;
	/* Whoever takes over its robust mutexes must find its stores in memory. */
	sched_drain(t->last_site);
	mutex_thread_end(t);
}

static struct local_destructor *new_local(void)
{
	struct local_destructor *d = free_locals;

	if (d) {
		free_locals = d->next;
		return d;
	}
	if (locals_used == MAX_LOCALS)
		rt_trouble("more than %d thread_local objects with destructors", MAX_LOCALS);
	return &locals[locals_used++];
}

RT_EXPORT int __cxa_thread_atexit_impl(void (*function)(void *), void *object, void *dso)
{
	struct rt_thread *t = rt_self();
	struct local_destructor *d;

	if (!rt_controlled())
		return REAL(__cxa_thread_atexit_impl)(function, object, dso);
	d = new_local();
	undo_touch(d, sizeof(*d));
	*d = (struct local_destructor){function, object, t->tls_dtors};
	t->tls_dtors = d;
	return 0;
}

RT_EXPORT int pthread_key_create(pthread_key_t *key, void (*destructor)(void *))
{
	return rt_controlled() ? tsd_key_create(key, destructor)
			       : REAL(pthread_key_create)(key, destructor);
}

RT_EXPORT int pthread_key_delete(pthread_key_t key)
{
	if (key >= TSD_FIRST_KEY && rt_controlled())
		return tsd_key_delete(key);
	undo_opaque();
	return REAL(pthread_key_delete)(key);
}

RT_EXPORT void *pthread_getspecific(pthread_key_t key)
{
	if (key >= TSD_FIRST_KEY)
		return rt_self() ? tsd_get(key) : NULL;
	return REAL(pthread_getspecific)(key);
}

RT_EXPORT int pthread_setspecific(pthread_key_t key, const void *value)
{
	if (key >= TSD_FIRST_KEY)
		return rt_self() ? tsd_set(key, (uintptr_t)value) : EINVAL;
	undo_opaque();
	return REAL(pthread_setspecific)(key, value);
}
