#include "guest/stable/sched/threads.h"

#include <string.h>

#include "guest/stable/os.h"
#include "guest/stable/sched/local.h"
#include "guest/stable/sched/park.h"

#define CHUNK 32
#define BUCKETS 1024

static struct sched_thread *free_list;
static struct sched_thread *by_id[BUCKETS]; /* a guess, checked when used */

struct sched_thread *threads_alloc(void)
{
	if (!free_list) {
		struct sched_thread *chunk = os_pages(CHUNK * sizeof(*chunk));
		for (int i = CHUNK - 1; i >= 0; i--) {
			chunk[i].free_next = free_list;
			free_list = &chunk[i];
		}
	}
	struct sched_thread *t = free_list;
	struct local_entry *kept = t->local.log;
	free_list = t->free_next;
	memset(t, 0, sizeof(*t));
	t->local.log = kept;
	t->tid = sched.next_tid++;
	by_id[t->tid % BUCKETS] = t;
	local_init_thread(t);
	park_init_thread(t);
	t->all_next = sched.all;
	sched.all = t;
	return t;
}

void threads_release(struct sched_thread *t)
{
	struct sched_thread **link = &sched.all;
	while (*link != t)
		link = &(*link)->all_next;
	*link = t->all_next;
	if (by_id[t->tid % BUCKETS] == t)
		by_id[t->tid % BUCKETS] = NULL;
	t->free_next = free_list;
	free_list = t;
}

struct sched_thread *threads_by_id(uint32_t tid)
{
	struct sched_thread *t = by_id[tid % BUCKETS];
	if (t && t->tid == tid && !t->finished)
		return t;
	for (t = sched.all; t; t = t->all_next) {
		if (t->tid == tid && !t->finished)
			return t;
	}
	return NULL;
}
