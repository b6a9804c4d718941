/*
 * Every way of drawing schedules in turn, each run by one of them, and more runs for those that
 * pay: that show pairs of write and read nobody has seen, or sets of pairs that are rare.  All of
 * them learn from the runs of all (know.h).
 */
#include "guest/check/sched/draw/know.h"
#include "guest/check/sched/state.h"

#define ARMS 5
#define NEW_PAIR 8 /* worth of a pair never seen; a rare set is worth 1 */
#define RARE 2
#define TURNS 16
#define MEMORY 1024 /* older results count half */

static const struct strategy *const arms[ARMS] = {
	&strategy_feedback, &strategy_surw, &strategy_pos, &strategy_random, &strategy_pct,
};
static const uint32_t numbers[ARMS] = {
	STRATEGY_FEEDBACK, STRATEGY_SURW, STRATEGY_POS, STRATEGY_RANDOM, STRATEGY_PCT,
};
/* Half of the runs are given out like this, whatever pays: nobody may be forgotten. */
static const uint8_t turns[TURNS] = {0, 0, 1, 0, 0, 1, 0, 2, 0, 0, 3, 0, 1, 0, 4, 0};

struct score {
	uint32_t tried, paid;
};

struct scores {
	struct score of[ARMS];
	uint32_t now;
	uint32_t turn;
};

static struct scores *scores(void)
{
	return know_own(KNOW_OF_MIX, sizeof(struct scores));
}

static uint64_t worth(const struct score *s)
{
	return ((uint64_t)s->paid * 64 + 64) / (s->tried + 1) + 1;
}

static uint32_t draw_arm(struct scores *s)
{
	uint64_t total = 0, at;
	uint32_t i = 0;

	/* The first runs look around. */
	if (s->turn < TURNS || strategy_random_below(2))
		return turns[s->turn++ % TURNS];
	for (; i < ARMS; i++)
		total += worth(&s->of[i]);
	at = strategy_random_number() % total;
	for (i = 0; i + 1 < ARMS && at >= worth(&s->of[i]); i++)
		at -= worth(&s->of[i]);
	return i;
}

static void begin(uint64_t seed)
{
	struct scores *s;

	know_begin();
	strategy_seed(seed ^ UINT64_C(0x6d6978));
	s = scores();
	s->now = draw_arm(s);
	RT_ASSERT(s->now < ARMS);
	sched.strategy = arms[s->now];
	rt_ctl->result.drawn_by = numbers[s->now];
	sched.strategy->begin(seed);
}

/* Never asked: begin() has put one of the others in its place. */
static void choose(struct action *a)
{
	RT_ASSERT(sched.strategy != &strategy_mix);
	action_nth(0, a);
}

static void over(void)
{
	struct scores *s = scores();
	struct score *mine = &s->of[s->now];
	struct know_news news = know_over();

	RT_ASSERT(s->now < ARMS);

	mine->tried++;
	mine->paid += news.pairs * NEW_PAIR + (news.how_rare < RARE);
	if (mine->tried > MEMORY) {
		mine->tried /= 2;
		mine->paid /= 2;
	}
	if (arms[s->now]->over)
		arms[s->now]->over();
}

const struct strategy strategy_mix = {
	.begin = begin,
	.choose = choose,
	.pick = strategy_random_below,
	.over = over,
};
