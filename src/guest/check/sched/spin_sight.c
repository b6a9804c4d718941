#include "guest/check/sched/spin_sight.h"

#include "guest/check/rt.h"
#include "guest/check/sched/spin.h"

#define SIGHTS 32

struct sight {
	uint16_t seer, holder;
	uint32_t seer_tix, holder_tix; /* their events so far */
	uint32_t held;		       /* locks that the holder had before this one */
	uint32_t site;		       /* of the loop */
	bool vain;
};

static struct sight sights[SIGHTS];
static uint32_t count;

void spin_sight_reset(void)
{
	count = 0;
}

static void drop(uint32_t i)
{
	RT_ASSERT(i < count);
	sights[i] = sights[--count];
}

/* Whether the thread is still in a round that was under way when it had had so many events. */
static bool in_round(uint16_t tid, uint32_t tix)
{
	const struct rt_thread *t = thread_by_tid(tid);

	return t->state != THREAD_FINISHED && t->state != THREAD_GONE && spin_began(t) <= tix + 1;
}

static void say(const struct sight *s)
{
	rt_unseen(s->site, "others see a lock that is held for a moment by a thread that waits");
}

void spin_sight_settle(void)
{
	for (uint32_t i = count; i-- > 0;) {
		const struct sight *s = &sights[i];

		if (s->vain && !in_round(s->seer, s->seer_tix)) {
			say(s);
			drop(i);
		} else if (!s->vain && !in_round(s->holder, s->holder_tix)) {
			drop(i);
		}
	}
}

static uint32_t index_of(const struct rt_thread *t, uint64_t addr)
{
	uint32_t i = t->held_count < RT_MAX_HELD ? t->held_count : RT_MAX_HELD;

	while (i > 0 && t->held[i - 1].addr != addr)
		i--;
	return i > 0 ? i - 1 : 0;
}

void spin_sight(const struct rt_thread *holder, uint64_t addr)
{
	const struct rt_thread *t = rt_current;
	struct sight s = {.seer = t->tid, .seer_tix = t->next_tix, .site = SITE_NONE};

	if (!holder || holder == t || spin_began(holder) == UINT32_MAX)
		return;
	s.holder = holder->tid;
	s.holder_tix = holder->next_tix;
	s.held = index_of(holder, addr);
	if (count == SIGHTS)
		spin_sight_settle();
	if (count < SIGHTS)
		sights[count++] = s;
	else
		say(&s);
}

void spin_sight_vain(const struct rt_thread *t, uint32_t begin, uint32_t held, uint32_t site)
{
	for (uint32_t i = count; i-- > 0;) {
		struct sight *s = &sights[i];

		if (s->seer == t->tid && s->seer_tix + 1 >= begin) {
			drop(i);
		} else if (s->holder == t->tid && s->holder_tix + 1 >= begin && s->held >= held) {
			s->vain = true;
			s->site = site;
		}
	}
	if (count)
		spin_sight_settle();
}
