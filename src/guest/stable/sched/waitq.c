#include "guest/stable/sched/waitq.h"

#include <string.h>

#include "guest/stable/os.h"
#include "guest/stable/sched/check.h"

#define BUCKETS 1024

static struct bucket {
	struct sched_thread *first, *last;
} buckets[BUCKETS];

static struct bucket *bucket_of(void *addr)
{
	uint64_t h = (uint64_t)(uintptr_t)addr * UINT64_C(0x9e3779b97f4a7c15);
	return &buckets[h >> 54];
}

static bool before(const struct sched_thread *a, const struct sched_thread *b)
{
	if (a->wait.deadline != b->wait.deadline)
		return a->wait.deadline < b->wait.deadline;
	return a->wait.seq < b->wait.seq;
}

static void heap_place(struct sched_thread *t, size_t at)
{
	SCHED_ASSERT(at < sched.heap_count);
	sched.heap[at] = t;
	t->wait.heap_at = at + 1;
}

static void heap_up(struct sched_thread *t, size_t at)
{
	while (at > 0 && before(t, sched.heap[(at - 1) / 2])) {
		heap_place(sched.heap[(at - 1) / 2], at);
		at = (at - 1) / 2;
	}
	heap_place(t, at);
}

static void heap_down(struct sched_thread *t, size_t at)
{
	for (;;) {
		size_t child = 2 * at + 1;
		if (child >= sched.heap_count)
			break;
		if (child + 1 < sched.heap_count &&
		    before(sched.heap[child + 1], sched.heap[child]))
			child++;
		if (!before(sched.heap[child], t))
			break;
		heap_place(sched.heap[child], at);
		at = child;
	}
	heap_place(t, at);
}

static void heap_add(struct sched_thread *t)
{
	SCHED_ASSERT(!t->wait.heap_at && sched.heap_count <= sched.heap_capacity);
	if (sched.heap_count == sched.heap_capacity) {
		size_t capacity = sched.heap_capacity ? 2 * sched.heap_capacity : 512;
		struct sched_thread **bigger = os_pages(capacity * sizeof(*bigger));
		if (sched.heap_count) {
			memcpy(bigger, sched.heap, sched.heap_count * sizeof(*bigger));
			os_unmap(sched.heap, sched.heap_capacity * sizeof(*bigger));
		}
		sched.heap = bigger;
		sched.heap_capacity = capacity;
	}
	sched.heap_count++;
	heap_up(t, sched.heap_count - 1);
}

static void heap_remove(struct sched_thread *t)
{
	size_t at = t->wait.heap_at - 1;
	SCHED_ASSERT(at < sched.heap_count && sched.heap[at] == t);
	struct sched_thread *last = sched.heap[--sched.heap_count];
	t->wait.heap_at = 0;
	if (last == t)
		return;
	if (before(last, t))
		heap_up(last, at);
	else
		heap_down(last, at);
}

void waitq_announce(void *addr, int change)
{
	uint32_t *at = sched_waiting_at(addr);
	SCHED_ASSERT(change > 0 || (*at > 0 && sched.waiting > 0));
	sched.waiting += (uint32_t)change;
	if (change > 0)
		__atomic_store_n(at, *at + 1, __ATOMIC_SEQ_CST);
	else
		__atomic_store_n(at, *at - 1, __ATOMIC_RELAXED);
}

void waitq_add(struct sched_thread *t)
{
	struct bucket *b = bucket_of(t->wait.addr);
	SCHED_ASSERT(!t->waiting && !t->in_rq && !b->first == !b->last);
	t->wait.next = NULL;
	t->wait.prev = b->last;
	if (b->last)
		b->last->wait.next = t;
	else
		b->first = t;
	b->last = t;
	if (t->wait.deadline != SCHED_NEVER)
		heap_add(t);
	t->waiting = true;
	if (!t->wait.prepared)
		waitq_announce(t->wait.addr, 1);
	t->wait.prepared = false;
}

void waitq_remove(struct sched_thread *t)
{
	struct bucket *b = bucket_of(t->wait.addr);
	SCHED_ASSERT(t->waiting && (t->wait.prev || b->first == t) &&
		     (t->wait.next || b->last == t));
	if (t->wait.prev)
		t->wait.prev->wait.next = t->wait.next;
	else
		b->first = t->wait.next;
	if (t->wait.next)
		t->wait.next->wait.prev = t->wait.prev;
	else
		b->last = t->wait.prev;
	if (t->wait.heap_at)
		heap_remove(t);
	t->waiting = false;
	waitq_announce(t->wait.addr, -1);
}

struct sched_thread *waitq_first(void *addr)
{
	struct sched_thread *t = bucket_of(addr)->first;
	while (t && t->wait.addr != addr)
		t = t->wait.next;
	return t;
}

struct sched_thread *waitq_after(const struct sched_thread *t)
{
	struct sched_thread *next = t->wait.next;
	while (next && next->wait.addr != t->wait.addr)
		next = next->wait.next;
	return next;
}

void waitq_move(struct sched_thread *t, void *addr)
{
	waitq_remove(t);
	t->wait.addr = addr;
	t->wait.seq = ++sched.wait_seq;
	waitq_add(t);
}

struct sched_thread *waitq_earliest(void)
{
	return sched.heap_count ? sched.heap[0] : NULL;
}

void waitq_clear(void)
{
	memset(buckets, 0, sizeof(buckets));
	sched.heap_count = 0;
	sched.waiting = 0;
	memset(sched.waiting_at, 0, sizeof(sched.waiting_at));
}

bool sched_wait_prepare(struct sched_thread *t, void *addr)
{
	if (!sched.outside_seen)
		return false;
	SCHED_ASSERT(!t->wait.prepared && !t->waiting);
	t->wait.prepared = true;
	waitq_announce(addr, 1);
	return true;
}

void sched_wait_abandon(struct sched_thread *t, void *addr)
{
	SCHED_ASSERT(t->wait.prepared);
	t->wait.prepared = false;
	waitq_announce(addr, -1);
}
