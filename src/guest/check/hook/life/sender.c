#include "guest/check/hook/life/sender.h"

#include "guest/check/hook/call.h"
#include "guest/check/hook/life/thread.h"
#include "guest/check/hook/system/feed.h"
#include "guest/check/hook/system/signals.h"
#include "guest/check/rec/rec.h"

#define MOST 32	      /* of a run: each is a thread */
#define NUMBER_BITS 8 /* of a signal's number in the argument */

static RT_RUN uint32_t senders;
static RT_RUN bool main_has_senders;

/* A signal that has no handler (yet) would end the program, which it did not. */
static void *send_one(void *arg)
{
	uint32_t tid = (uint32_t)((uint64_t)arg >> NUMBER_BITS);
	int number = (int)((uint64_t)arg & ((1u << NUMBER_BITS) - 1));
	struct rt_op op = call_op(EVENT_KILL, NULL, NULL);

	op.aux = tid;
	op.value = (uint64_t)number;
	sched_step(&op);
	rec_event(EVENT_KILL, op.site, 0, (uint64_t)number, tid);
	if (signals_action(number) == SIGNAL_HANDLED)
		signals_send(thread_by_tid(tid), number, 0, op.site);
	return NULL;
}

static void begin_for(uint32_t tid)
{
	struct hook_thread_start start = {send_one, NULL, true, NULL, SIGNALS_ALL, true, NULL};
	uint32_t row = 0;
	int number;

	while (senders < MOST && (number = feed_handled(tid, &row)) > 0) {
		senders++;
		start.arg = (void *)((uint64_t)tid << NUMBER_BITS | (uint64_t)number);
		if (hook_thread_create(NULL, &start))
			return;
	}
}

void sender_begin(const struct rt_thread *created)
{
	if (!feed_on())
		return;
	if (!main_has_senders) {
		main_has_senders = true;
		begin_for(0);
	}
	begin_for(created->tid);
}
