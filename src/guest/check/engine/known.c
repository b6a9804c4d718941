#include "guest/check/engine/known.h"

#include <string.h>

/* FNV-1a over 32-bit words. */
static uint64_t hash(uint64_t h, uint32_t word)
{
	return (h ^ word) * UINT64_C(0x100000001b3);
}

/* Which threads cannot go on, where, and who holds what they wait for. */
static uint64_t hash_stuck(void)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);

	for (uint32_t i = 0; i < rt_ctl->result.threads && i < WIRE_MAX_THREADS; i++) {
		const struct wire_thread *t = &rt_ctl->threads[i];

		if (t->state != THREAD_BLOCKED && t->state != THREAD_SPINNING)
			continue;
		h = hash(h, i);
		h = hash(h, t->pending_site);
		h = hash(h, t->waits_for);
	}
	return h;
}

void known_describe(struct wire_known *k)
{
	const struct wire_failure *f = &rt_ctl->result.failure;

	memset(k, 0, sizeof(*k));
	k->kind = f->kind;
	if (f->kind == FAILURE_EXIT)
		k->value = f->value;
	else if (f->kind == FAILURE_DEADLOCK || f->kind == FAILURE_LIVELOCK)
		k->stuck = hash_stuck();
	else
		k->site = f->site;
	if (!k->stuck && rt_ctl->job.flags & JOB_KNOWN_THREAD)
		k->stuck = (uint64_t)f->tid + 1;
}

bool known_same(const struct wire_known *a, const struct wire_known *b)
{
	return a->kind == b->kind && a->site == b->site && a->value == b->value &&
	       a->stuck == b->stuck;
}
