#include "guest/record/record.h"

#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <threads.h>

#include "guest/os/real.h"
#include "guest/os/sys.h"

static pthread_key_t key; /* its destructor ends a thread's recording */

/* Threads by their pthread_t, for join: the last ones that were created. */
#define KNOWN 4096u
static struct {
	pthread_t os;
	uint32_t id;
} known[KNOWN];

static void begin(struct rec_thread *t, uint32_t id, struct record_thread *row)
{
	uint32_t cpu;

	t->id = id;
	t->row = row;
	row->os_tid = sys_gettid();
	row->begin = rec_tsc(&cpu);
	__atomic_store_n(&row->state, RECORD_THREAD_RUNS, __ATOMIC_RELEASE);
	rec_stream_begin(t);
	rec_stamp(t, RECORD_AT_BEGIN, 0);
	rec_fail_stack(t);
}

/* Everything the thread may still run (destructors of its keys) has run, or gets lost. */
static void end(struct rec_thread *t)
{
	uint32_t cpu;

	rec_stamp(t, RECORD_AT_END, 0);
	t->row->end = rec_tsc(&cpu);
	__atomic_store_n(&t->row->state, RECORD_THREAD_ENDED, __ATOMIC_RELEASE);
	t->closed = true;
	rec_sink(t);
	t->row = NULL;
	if (t->stack) {
		stack_t off = {.ss_flags = SS_DISABLE};

		sigaltstack(&off, NULL);
		sys_call(SYS_munmap, (long)t->stack, REC_STACK_BYTES, 0, 0, 0, 0);
		t->stack = NULL;
	}
}

/* Destructors run in rounds; ours waits for the last one so that others are still recorded. */
static void at_exit_of_thread(void *round)
{
	struct rec_thread *t = &rec_self;

	if (!rec_ctl || !t->row)
		return;
	if ((uintptr_t)round < PTHREAD_DESTRUCTOR_ITERATIONS)
		pthread_setspecific(key, (void *)((uintptr_t)round + 1));
	else
		end(t);
}

void rec_thread_first(void)
{
	uint32_t id;
	struct record_thread *row = rec_row(&id);

	pthread_key_create(&key, at_exit_of_thread);
	row->creator = RECORD_NO_THREAD;
	begin(&rec_self, id, row);
}

void rec_thread_stop(void)
{
	rec_self.row = NULL;
	rec_sink(&rec_self);
}

static struct record_thread *row_of(uint32_t id)
{
	return (struct record_thread *)((char *)rec_ctl + RECORD_THREADS_AT) + id;
}

static void *trampoline(void *arg)
{
	uint32_t id = (uint32_t)(uintptr_t)arg;
	struct record_thread *row = row_of(id);
	void *(*start)(void *) = (void *(*)(void *))(uintptr_t)row->entry;
	void *own = (void *)(uintptr_t)row->spare[0];

	begin(&rec_self, id, row);
	pthread_setspecific(key, (void *)(uintptr_t)1);
	return start(own);
}

static void remember(pthread_t os, uint32_t id)
{
	uint32_t slot = id % KNOWN;

	known[slot].id = id;
	__atomic_store_n(&known[slot].os, os, __ATOMIC_RELEASE);
}

static uint64_t number_of(pthread_t os)
{
	uint32_t best = RECORD_NO_THREAD;

	/* Handles are reused: the youngest thread with it is meant. */
	for (uint32_t i = 0; i < KNOWN; i++)
		if (known[i].os == os && (best == RECORD_NO_THREAD || known[i].id > best))
			best = known[i].id;
	return best;
}

RECORD_EXPORT int pthread_create(pthread_t *os, const pthread_attr_t *attr, void *(*start)(void *),
				 void *arg)
{
	struct rec_thread *t = &rec_self;
	struct record_thread *row;
	uint32_t id;
	int rc;

	row = rec_ctl && t->row ? rec_row(&id) : NULL;
	if (!row)
		return REAL(pthread_create)(os, attr, start, arg);
	row->creator = t->id;
	row->index = t->children++;
	row->entry = (uint64_t)(uintptr_t)start;
	row->spare[0] = (uint64_t)(uintptr_t)arg;
	__atomic_store_n(&row->state, RECORD_THREAD_CREATED, __ATOMIC_RELEASE);
	rec_stamp(t, RECORD_AT_CREATE, id);
	t->ops++;
	rc = REAL(pthread_create)(os, attr, trampoline, (void *)(uintptr_t)id);
	if (rc)
		__atomic_store_n(&row->state, RECORD_THREAD_UNUSED, __ATOMIC_RELEASE);
	else
		remember(*os, id);
	return rc;
}

RECORD_EXPORT int pthread_join(pthread_t os, void **value)
{
	struct rec_thread *t = &rec_self;
	uint64_t id;
	int rc;

	if (!rec_ctl || !t->row)
		return REAL(pthread_join)(os, value);
	id = number_of(os);
	t->row->waits_at = RECORD_AT_JOIN;
	t->row->waits_on = id + 1;
	t->row->spare[1] = (uint64_t)(uintptr_t)__builtin_return_address(0);
	rc = REAL(pthread_join)(os, value);
	t->row->waits_on = 0;
	rec_stamp(t, RECORD_AT_JOIN, id);
	t->ops++;
	return rc;
}

/* The result of a C11 thread is an int; the library's own create takes no other start. */
RECORD_EXPORT int thrd_create(thrd_t *os, thrd_start_t start, void *arg)
{
	return pthread_create(os, NULL, (void *(*)(void *))(void *)start, arg) ? thrd_error
									       : thrd_success;
}

RECORD_EXPORT int thrd_join(thrd_t os, int *result)
{
	void *value;

	if (pthread_join(os, &value))
		return thrd_error;
	if (result)
		*result = (int)(intptr_t)value;
	return thrd_success;
}
