/*
 * Partial order sampling (Yuan, Yang, Gu, CAV 2018), and reads-from feedback on top of it (after
 * Wolff, Shi, Duck, Mathur, Roychoudhury, ASPLOS 2024).
 *
 * pos: every pending operation has a random priority, the highest one happens next, and those that
 * conflict with it get new ones.
 *
 * feedback: a run has wishes, each that a read at one place sees, or does not see, what another
 * place wrote.  A wish holds threads back (the read until the write has happened, other writes
 * until the read has) and lets a read go on at once when it would see what it should.  When all are
 * held back a wish is given up.  Pairs that were at one object but that no run has shown come
 * first; then wishes that led to something rare are changed a little and tried again.  Under TSO
 * and PSO a write is a store that reaches memory, so wishes delay stores.
 */
#include "guest/check/mem/buffer.h"
#include "guest/check/sched/draw/know.h"
#include "guest/check/sched/state.h"

#define WISHES 4     /* of a run */
#define KEPT 128     /* lists of wishes that led to something */
#define PLAIN_ODDS 8 /* a run without wishes now and then */
#define RARE 4	     /* seen in fewer runs before */
#define SEARCHED 64  /* pairs that are looked at for one that nobody has tried */
#define NEGATIVE_ODDS 4

struct wish {
	uint32_t read, write; /* sites */
	uint8_t positive;
	uint8_t always; /* every time, not only until it has come true once */
	uint8_t alive;
};

struct wishes {
	uint32_t count;
	uint32_t used; /* how often they were the beginning of others */
	struct wish items[WISHES];
};

/* Outlives the run. */
struct corpus {
	uint32_t count, next;
	uint32_t turn; /* where the search for untried pairs goes on */
	struct wishes now;
	struct wishes kept[KEPT];
};

static RT_RUN uint32_t odds;

static struct corpus *corpus(void)
{
	return know_own(KNOW_OF_FEEDBACK, sizeof(struct corpus));
}

/* ---- priorities ---- */

static void renew(struct rt_thread *t)
{
	t->priority = 1 + (strategy_random_number() >> 8);
}

/* Who stands at a conflicting operation draws again. */
static void renew_racing(const struct rt_thread *chosen)
{
	uint32_t access = know_access(chosen->op);

	if (!access)
		return;
	SET_EACH(&sched.enabled, slot)
	{
		struct rt_thread *t = sched.by_slot[slot];

		if (t != chosen && t->op->addr == chosen->op->addr &&
		    ((know_access(t->op) | access) & KNOW_WRITES))
			renew(t);
	}
}

static void take(struct rt_thread *t, struct action *a)
{
	*a = (struct action){CHOICE_RUN, 1, t};
	renew_racing(t);
	renew(t);
	/* Who yields comes last until it has gone on. */
	if (t->op->flags & OP_YIELD)
		t->priority >>= 32;
}

/* ---- wishes ---- */

enum stand { FREE, HELD, HOT };

/* What the wishes say to a write of the site to the object. */
static enum stand stand_of_write(uint32_t site, uint32_t object)
{
	const struct wishes *w = &corpus()->now;

	for (uint32_t i = 0; i < w->count; i++) {
		const struct wish *x = &w->items[i];

		if (!x->alive || !x->positive || site == x->write ||
		    know_last(object) != x->write || know_pair_of(x->read, site) == KNOW_NOTHING)
			continue;
		return HELD;
	}
	return FREE;
}

static enum stand stand_of_read(uint32_t site, uint32_t object)
{
	const struct wishes *w = &corpus()->now;
	enum stand stand = FREE;

	for (uint32_t i = 0; i < w->count; i++) {
		const struct wish *x = &w->items[i];
		bool sees = know_last(object) == x->write;

		if (!x->alive || x->read != site)
			continue;
		/* It is too late for what was there in the beginning. */
		if (x->positive && !sees && x->write == KNOW_BEFORE)
			continue;
		if (x->positive != sees)
			return HELD;
		if (x->positive)
			stand = HOT;
	}
	return stand;
}

static enum stand stand_of(const struct rt_thread *t)
{
	uint32_t access = know_access(t->op);
	uint32_t object = access ? know_object_at(t->op->addr) : KNOW_NOTHING;
	enum stand stand = FREE;

	if (object == KNOW_NOTHING)
		return FREE;
	if (access & KNOW_READS)
		stand = stand_of_read(t->op->site, object);
	if (stand == FREE && (access & KNOW_WRITES))
		stand = stand_of_write(t->op->site, object);
	return stand;
}

/* A read happens: wishes of which it was the read have come true, or never will. */
static void fulfil(const struct rt_thread *t)
{
	struct wishes *w = &corpus()->now;

	if (!(know_access(t->op) & KNOW_READS))
		return;
	for (uint32_t i = 0; i < w->count; i++)
		if (w->items[i].read == t->op->site && !w->items[i].always && w->items[i].positive)
			w->items[i].alive = 0;
}

static bool give_one_up(void)
{
	struct wishes *w = &corpus()->now;
	uint32_t first = w->count ? strategy_random_below(w->count) : 0;

	for (uint32_t i = 0; i < w->count; i++) {
		struct wish *x = &w->items[(first + i) % w->count];

		if (x->alive) {
			x->alive = 0;
			return true;
		}
	}
	return false;
}

/* The thread of the highest priority that is not held back; NULL when all are. */
static struct rt_thread *best_thread(bool wishes)
{
	struct rt_thread *best = NULL;
	bool hot = false;

	SET_EACH(&sched.enabled, slot)
	{
		struct rt_thread *t = sched.by_slot[slot];
		enum stand stand = wishes ? stand_of(t) : FREE;

		if (stand == HELD || (hot && stand != HOT))
			continue;
		if (!best || (stand == HOT && !hot) || t->priority > best->priority)
			best = t;
		hot |= stand == HOT;
	}
	return best;
}

/* ---- stores on their way ---- */

static bool flush_is_held(const struct action *a)
{
	const struct buffer_entry *e =
		buffer_nth(a->thread->buffer, (enum wire_model)sched.model, a->arg);
	uint32_t object = know_object_at(e->store.at);

	return object != KNOW_NOTHING && stand_of_write(e->site, object) == HELD;
}

/* A store reaches memory now and then, unless a wish delays it. */
static bool draw_flush(struct action *a)
{
	uint32_t runs = set_count(&sched.enabled);
	uint32_t flushes = action_count_without_timeouts() - runs;

	if (!flushes || (runs && strategy_random_below(odds) != 0))
		return false;
	action_nth(runs + strategy_random_below(flushes), a);
	return runs == 0 || !flush_is_held(a);
}

static void choose_by_wishes(struct action *a, bool wishes)
{
	struct rt_thread *t;

	if (set_any(&sched.buffered) && draw_flush(a))
		return;
	if (strategy_draw_others(0, a))
		return;
	t = best_thread(wishes);
	while (!t) {
		bool given_up = give_one_up();

		RT_ASSERT(given_up);
		t = best_thread(wishes);
	}
	if (wishes)
		fulfil(t);
	take(t, a);
}

/* ---- pos ---- */

static void begin_pos(uint64_t seed)
{
	strategy_seed(seed);
	know_begin();
	odds = strategy_draw_odds();
}

static void choose_pos(struct action *a)
{
	choose_by_wishes(a, false);
}

static void over_pos(void)
{
	know_over();
}

const struct strategy strategy_pos = {
	.begin = begin_pos,
	.choose = choose_pos,
	.pick = strategy_random_below,
	.born = renew,
	.over = over_pos,
};

/* ---- feedback ---- */

static struct wish wish_for(struct know_pair *p, bool positive)
{
	p->tried += positive;
	return (struct wish){.read = p->read,
			     .write = p->write,
			     .positive = positive,
			     .always = (uint8_t)strategy_random_below(2),
			     .alive = 1};
}

/* A pair that no run has shown and none was to show; else one of those least often seen. */
static struct know_pair *find_pair(struct corpus *c)
{
	uint32_t n = know_pair_count();
	struct know_pair *best = NULL;

	for (uint32_t i = 0; i < SEARCHED && i < n; i++) {
		struct know_pair *p = know_pair_nth(c->turn++ % n);

		if (p->seen + p->tried == 0)
			return p;
		if (!best || p->seen + p->tried < best->seen + best->tried)
			best = p;
	}
	return strategy_random_below(2) ? best : know_pair_nth(strategy_random_below(n));
}

static void add_wish(struct wishes *w, struct wish x)
{
	if (w->count == WISHES)
		w->items[strategy_random_below(WISHES)] = x;
	else
		w->items[w->count++] = x;
}

static void drop_wish(struct wishes *w)
{
	uint32_t n = w->count;

	if (n == 0)
		return;
	w->items[strategy_random_below(n)] = w->items[n - 1];
	w->count = n - 1;
}

/* What led to something before, the least used of a few. */
static struct wishes *find_kept(struct corpus *c)
{
	struct wishes *best = NULL;

	for (uint32_t i = 0; i < 3 && c->count; i++) {
		struct wishes *w = &c->kept[strategy_random_below(c->count)];

		if (!best || w->used < best->used)
			best = w;
	}
	return best;
}

static void make_wishes(struct corpus *c)
{
	struct wishes *kept = strategy_random_below(2) ? find_kept(c) : NULL;
	struct wishes *w = &c->now;

	w->count = 0;
	if (know_pair_count() == 0 || strategy_random_below(PLAIN_ODDS) == 0)
		return;
	if (kept) {
		kept->used++;
		*w = *kept;
		for (uint32_t i = 0; i < w->count; i++)
			w->items[i].alive = 1;
		if (strategy_random_below(4) == 0)
			drop_wish(w);
	}
	do {
		struct know_pair *p = find_pair(c);

		/* What nobody has seen is to be seen first. */
		add_wish(w, wish_for(p, p->seen + p->tried == 0 ||
						strategy_random_below(NEGATIVE_ODDS) != 0));
	} while (strategy_random_below(3) == 0 && w->count < WISHES);
}

static void begin_feedback(uint64_t seed)
{
	begin_pos(seed);
	make_wishes(corpus());
	RT_ASSERT(corpus()->now.count <= WISHES);
}

static void choose_feedback(struct action *a)
{
	choose_by_wishes(a, true);
}

static void over_feedback(void)
{
	struct know_news news = know_over();
	struct corpus *c = corpus();

	if (c->now.count == 0 || (!news.pairs && news.how_rare >= RARE))
		return;
	c->now.used = 0;
	c->kept[c->next] = c->now;
	c->next = (c->next + 1) % KEPT;
	if (c->count < KEPT)
		c->count++;
}

const struct strategy strategy_feedback = {
	.begin = begin_feedback,
	.choose = choose_feedback,
	.pick = strategy_random_below,
	.born = renew,
	.over = over_feedback,
};
