#include "record/hang.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/uio.h>
#include <time.h>

#include "base/fs.h"

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static const struct record_thread *row(const struct record_hang *h, uint32_t i)
{
	return (const struct record_thread *)((const char *)h->live->ctl + RECORD_THREADS_AT) + i;
}

static uint32_t rows(const struct record_hang *h)
{
	uint32_t n = h->live->ctl->threads;

	return n < RECORD_MAX_THREADS ? n : RECORD_MAX_THREADS;
}

static bool lives(const struct record_thread *t)
{
	return t->state == RECORD_THREAD_RUNS || t->state == RECORD_THREAD_CREATED;
}

/* Who holds the lock that the thread waits for; RECORD_NO_THREAD when that cannot be told. */
static uint32_t holder(const struct record_hang *h, const struct record_thread *t)
{
	pthread_mutex_t m;
	struct iovec local = {&m, sizeof(m)}, remote = {(void *)(uintptr_t)t->waits_on, sizeof(m)};

	if (t->waits_at != RECORD_AT_LOCK || !t->waits_on ||
	    process_vm_readv(h->pid, &local, 1, &remote, 1, 0) != (ssize_t)sizeof(m))
		return RECORD_NO_THREAD;
	for (uint32_t i = 0; i < rows(h); i++)
		if (lives(row(h, i)) && row(h, i)->os_tid == m.__data.__owner)
			return i;
	return RECORD_NO_THREAD;
}

static bool in_circle(const struct record_hang *h, uint32_t start)
{
	uint32_t at = start;

	for (uint32_t steps = 0; steps < rows(h); steps++) {
		at = holder(h, row(h, at));
		if (at == RECORD_NO_THREAD || at == start)
			return at == start;
	}
	return false;
}

/* One number for what everybody waits for; 0 when nothing hangs at this moment. */
static uint64_t picture(const struct record_hang *h)
{
	uint64_t hash = FS_HASH_START;
	uint32_t living = 0, waiting = 0, circle = 0;

	for (uint32_t i = 0; i < rows(h); i++) {
		struct record_thread t = *row(h, i);

		if (!lives(&t))
			continue;
		living++;
		if (!t.waits_on)
			continue;
		waiting++;
		circle += in_circle(h, i);
		hash = fs_hash(hash, &i, sizeof(i));
		hash = fs_hash(hash, &t.waits_on, sizeof(t.waits_on));
		hash = fs_hash(hash, &t.ops, sizeof(t.ops));
	}
	return (living && waiting == living) || circle ? hash | 1 : 0;
}

static void describe(const struct record_hang *h)
{
	struct record_failure *f = &h->live->ctl->failure;
	uint32_t claimed = 0, waiting = 0;

	/* It may fail by itself at the same moment. */
	if (!__atomic_compare_exchange_n(&f->claimed, &claimed, UINT32_MAX, false, __ATOMIC_ACQ_REL,
					 __ATOMIC_RELAXED))
		return;
	f->thread = RECORD_NO_THREAD;
	for (uint32_t i = 0; i < rows(h); i++) {
		const struct record_thread *t = row(h, i);

		if (!lives(t) || !t->waits_on)
			continue;
		if (f->thread == RECORD_NO_THREAD && (t->waits_at == RECORD_AT_LOCK || !i)) {
			f->thread = i;
			f->stack[0] = f->pc = t->spare[1];
			f->depth = 1;
		}
		waiting++;
	}
	snprintf(f->text, sizeof(f->text), "%u threads wait for each other", waiting);
	f->kind = RECORD_FAIL_DEADLOCK;
}

bool record_hang_look(struct record_hang *h)
{
	uint64_t now = now_ns(), seen = picture(h);

	if (!seen || seen != h->seen) {
		h->seen = seen;
		h->since = now;
		return false;
	}
	if (now - h->since < h->limit_ns)
		return false;
	describe(h);
	h->since = now;
	return true;
}
