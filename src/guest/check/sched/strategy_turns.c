/*
 * Threads come to shared elements in given orders: the replay oracle of `heddle coop merge'.
 *
 * A thread whose next operation is an access to an element waits until it is its turn there.  Who
 * wants more than the order has does something that had not happened when the recorded run ended:
 * it goes on only when nobody else can.  When nobody has a turn the orders do not go together: the
 * run ends at once, as diverged, and result.diverged_at has the element (and in its upper half the
 * one whose turn is waited for there).
 *
 * An order may be soft, of another run than the others: who comes out of turn there goes behind all
 * whose turn it is, but goes, and the turn that was his later is left out.
 *
 * Who takes a lock where it was followed by an access whose turn is another's now would keep the
 * other from coming there: such a lock is taken when nobody else goes on.
 *
 * What has no given order is drawn, but who is next at some element is let go before others: those
 * would take locks that it needs on its way.  The running thread goes on most of the time.  One
 * run in so many (LAX) has no such preference: what no order was recorded of, a wake-up that must
 * not come too early, say, may need that somebody waits who need not.
 */
#include "guest/check/engine/finish.h"
#include "guest/check/sched/state.h"
#include "guest/check/sched/turns_ops.h"
#include "wire/coop.h"

#define STAY_ODDS                                                                                  \
	8 /* one time in so many another thread is drawn though the running one may go on */
#define STAY_ODDS_BLOCKS 2 /* where only blocks have orders, which say less */
#define LAX 4		   /* one seed in so many */
#define LONGEST_IDLE 64 /* sleeps and yields in a row before others that could go on are let go */

/* What a thread may do now; lower is taken first. */
enum claim {
	CLAIM_DUE,   /* as below, and somewhere it is next */
	CLAIM_TURN,  /* it is its turn, or no order is given */
	CLAIM_LOCK,  /* the same, but it would take something that others may need */
	CLAIM_SOFT,  /* against a soft order */
	CLAIM_YIELD, /* as LOCK, but it says that others may go first */
	CLAIM_WRONG, /* LOCK, but what comes behind it is somebody else's turn */
	CLAIM_LATE,  /* behind the end of the order */
	CLAIM_NONE,  /* somebody else's turn */
};

static struct {
	const struct turns_head *head;
	const struct turns_thread *threads;
	const struct coop_site *sites;
	const struct turns_element *elements;
	const struct turns_run *runs;
} given;

#define MAX_ELEMENTS 4096 /* of which an order can be given in one run */
#define MAX_DEBTS 256	  /* with more a soft order is forgotten */
#define MAX_LOCKS 512	  /* sites of locks; others that fall on the same place are forgotten */
/* Too large to be copied for every run (RT_RUN): begin() sets what is used. */
static struct {
	uint32_t known[WIRE_MAX_THREADS]; /* by tid: number of the thread in the orders, or
					     TURNS_NONE */
	struct {
		uint64_t run, done; /* run under way, accesses of it that were made */
	} at[MAX_ELEMENTS];
	struct {
		uint32_t element, thread;
		uint64_t count; /* turns of the thread there that were taken too early */
	} debts[MAX_DEBTS];
	uint32_t debt_count;
	/* By site of a lock, as far as there is room: the element that came first behind it. */
	struct {
		uint32_t site, element; /* TURNS_NONE: none yet */
	} behind[MAX_LOCKS];
	uint32_t holds[WIRE_MAX_THREADS]; /* by tid: where it took a lock and came to nothing
					     yet, or TURNS_NONE */
	uint32_t due[WIRE_MAX_THREADS];	  /* by number of the thread: elements where it is next */
	uint32_t idle;
	uint32_t stay;
	bool lax;
} turns;

/* The host's numbers are only believed as far as the area goes; NULL: they do not fit. */
static const struct turns_head *find_given(void)
{
	const char *base = (const char *)rt_ctl + rt_ctl->scratch.offset;
	const struct turns_head *h = (const struct turns_head *)base;
	uint64_t room = rt_ctl->scratch.bytes, bytes = sizeof(*h);

	if (room < sizeof(*h) || h->magic != TURNS_MAGIC || h->elements > MAX_ELEMENTS ||
	    h->runs > room)
		return NULL;
	given.threads = (const struct turns_thread *)(base + bytes);
	bytes += (uint64_t)h->threads * sizeof(*given.threads);
	given.sites = (const struct coop_site *)(base + bytes);
	bytes += (uint64_t)h->sites * sizeof(*given.sites);
	given.elements = (const struct turns_element *)(base + bytes);
	bytes += (uint64_t)h->elements * sizeof(*given.elements);
	given.runs = (const struct turns_run *)(base + bytes);
	bytes += h->runs * sizeof(*given.runs);
	if (bytes > room)
		return NULL;
	for (uint32_t i = 0; i < h->elements; i++)
		if (given.elements[i].first > h->runs ||
		    given.elements[i].count > h->runs - given.elements[i].first)
			return NULL;
	return h;
}

/* NULL: the order is over, or there is none. */
static const struct turns_run *run_of(uint32_t element)
{
	const struct turns_element *e = &given.elements[element];

	return turns.at[element].run < e->count ? &given.runs[e->first + turns.at[element].run]
						: NULL;
}

static void count_due(uint32_t element, uint32_t by)
{
	const struct turns_run *r = run_of(element);

	/* Of the last run nobody waits for the end. */
	if (r && r->thread < WIRE_MAX_THREADS &&
	    turns.at[element].run + 1 < given.elements[element].count)
		turns.due[r->thread] += by;
}

static bool is_due(const struct rt_thread *t)
{
	uint32_t number = turns.known[t->tid];

	return number < WIRE_MAX_THREADS && turns.due[number] > 0;
}

static void begin(uint64_t seed)
{
	strategy_seed(seed);
	given.head = find_given();
	if (!given.head)
		rt_trouble("the orders to be followed are damaged");
	turns.idle = 0;
	turns.debt_count = 0;
	turns.lax = seed % LAX == 0;
	turns.stay = given.head->blocks ? STAY_ODDS_BLOCKS : STAY_ODDS;
	for (uint32_t i = 0; i < WIRE_MAX_THREADS; i++) {
		turns.due[i] = 0;
		turns.holds[i] = TURNS_NONE;
	}
	for (uint32_t i = 0; i < MAX_LOCKS; i++)
		turns.behind[i].site = TURNS_NONE;
	for (uint32_t i = 0; i < given.head->elements; i++) {
		turns.at[i].run = turns.at[i].done = 0;
		count_due(i, 1);
	}
}

static void born(struct rt_thread *t)
{
	uint32_t parent = t->tid ? turns.known[t->parent] : TURNS_NONE, found = TURNS_NONE;

	for (uint32_t i = 0; i < given.head->threads && found == TURNS_NONE; i++)
		if (t->tid == 0 ? given.threads[i].parent == TURNS_NONE
				: parent != TURNS_NONE && given.threads[i].parent == parent &&
					  given.threads[i].index == t->child_index)
			found = i;
	turns.known[t->tid] = found;
}

/* ---- whose turn ---- */

static enum claim claim_at(const struct rt_thread *t, uint32_t element)
{
	const struct turns_run *r;

	if (element >= given.head->elements || !given.elements[element].count)
		return CLAIM_DUE;
	r = run_of(element);
	if (given.elements[element].soft)
		return r && r->thread == turns.known[t->tid] ? CLAIM_DUE : CLAIM_SOFT;
	if (!r)
		return CLAIM_LATE;
	return r->thread == turns.known[t->tid] ? CLAIM_DUE : CLAIM_NONE;
}

/* The elements of a thread's next operation; of a wait that is over both, in front only the first.
 */
static uint32_t elements_of(const struct rt_thread *t, uint32_t element[2])
{
	const struct rt_op *op = t->op;
	const struct coop_site *s;
	uint32_t n = 0;

	if (op->site >= given.head->sites || !turns_is_access(op->kind))
		return 0;
	s = &given.sites[op->site];
	if (s->element < given.head->elements)
		element[n++] = s->element;
	if (op->kind == EVENT_LOCK && s->mutex < given.head->elements)
		element[n++] = s->mutex;
	return n;
}

static bool is_inside(const struct rt_thread *t, uint32_t element)
{
	return turns_is_access(t->op->kind) && t->op->site < given.head->sites &&
	       given.sites[t->op->site].inside == element;
}

/* Whoever is in the stretch stands at one of its other accesses. */
static bool is_occupied(const struct rt_thread *t, uint32_t element)
{
	SET_EACH(&sched.enabled, slot)
	if (sched.by_slot[slot] != t && is_inside(sched.by_slot[slot], element))
		return true;
	SET_EACH(&sched.spinning, slot)
	if (sched.by_slot[slot] != t && is_inside(sched.by_slot[slot], element))
		return true;
	return false;
}

/* The last time tells what comes behind the lock this time. */
static bool is_wrong(const struct rt_thread *t)
{
	uint32_t at = t->op->site % MAX_LOCKS;

	return turns.behind[at].site == t->op->site && turns.behind[at].element != TURNS_NONE &&
	       claim_at(t, turns.behind[at].element) == CLAIM_NONE;
}

static enum claim claim_of(const struct rt_thread *t, uint32_t *blocked)
{
	uint32_t element[2], n = elements_of(t, element);
	enum claim worst = t->op->flags & OP_YIELD		     ? CLAIM_YIELD
			   : turns_takes(t->op->kind) && is_wrong(t) ? CLAIM_WRONG
			   : is_due(t)				     ? CLAIM_DUE
			   : turns_takes(t->op->kind)		     ? CLAIM_LOCK
								     : CLAIM_TURN;

	for (uint32_t i = 0; i < n; i++) {
		enum claim c = claim_at(t, element[i]);

		if (given.head->blocks && is_occupied(t, element[i]))
			c = CLAIM_NONE;
		if (c > worst)
			worst = c;
		if (c == CLAIM_NONE)
			*blocked = element[i];
	}
	return worst;
}

static void advance(uint32_t element, uint64_t by)
{
	const struct turns_run *r = run_of(element);

	if (!r)
		return;
	turns.at[element].done += by;
	if (turns.at[element].done >= r->length) {
		count_due(element, UINT32_MAX);
		turns.at[element].run++;
		turns.at[element].done = 0;
		count_due(element, 1);
	}
}

/* The turn that is left out for it comes later; false: there are too many of them. */
static bool owe(uint32_t element, uint32_t thread)
{
	uint32_t i = 0;

	while (i < turns.debt_count &&
	       (turns.debts[i].element != element || turns.debts[i].thread != thread))
		i++;
	if (i == MAX_DEBTS)
		return false;
	if (i == turns.debt_count) {
		turns.debts[i].element = element;
		turns.debts[i].thread = thread;
		turns.debts[i].count = 0;
		turns.debt_count++;
	}
	turns.debts[i].count++;
	return true;
}

/* Leaves out what was taken too early. */
static void settle(uint32_t element)
{
	for (uint32_t i = 0; i < turns.debt_count; i++) {
		const struct turns_run *r = run_of(element);
		uint64_t left;

		if (!r || turns.debts[i].element != element || !turns.debts[i].count ||
		    turns.debts[i].thread != r->thread)
			continue;
		left = r->length - turns.at[element].done;
		if (left > turns.debts[i].count)
			left = turns.debts[i].count;
		turns.debts[i].count -= left;
		advance(element, left);
		i = UINT32_MAX; /* the next run may be another's who owes */
	}
}

static void come(const struct rt_thread *t, uint32_t element)
{
	const struct turns_run *r = run_of(element);

	if (!given.elements[element].soft) {
		advance(element, 1);
		return;
	}
	if (r && r->thread == turns.known[t->tid]) {
		advance(element, 1);
	} else if (r && !owe(element, turns.known[t->tid])) {
		count_due(element, UINT32_MAX);
		turns.at[element].run = given.elements[element].count;
	}
	settle(element);
}

static void note_behind(const struct rt_thread *t, uint32_t element)
{
	uint32_t site = turns.holds[t->tid], at = site % MAX_LOCKS;

	if (site != TURNS_NONE && turns.behind[at].site == site)
		turns.behind[at].element = element;
	turns.holds[t->tid] = TURNS_NONE;
}

static void note_lock(const struct rt_thread *t)
{
	const struct rt_op *op = t->op;
	uint32_t at = op->site % MAX_LOCKS;

	if (turns_takes(op->kind)) {
		turns.holds[t->tid] = op->site;
		if (turns.behind[at].site != op->site) {
			turns.behind[at].site = op->site;
			turns.behind[at].element = TURNS_NONE;
		}
	} else if (turns_gives(op->kind)) {
		turns.holds[t->tid] = TURNS_NONE;
	}
}

static void take(struct rt_thread *t, struct action *a)
{
	uint32_t element[2], n = elements_of(t, element);

	note_lock(t);
	for (uint32_t i = 0; i < n && !turns_takes(t->op->kind); i++)
		note_behind(t, element[i]);
	for (uint32_t i = 0; i < n; i++)
		if (given.elements[element[i]].count)
			come(t, element[i]);
	turns.idle = t->op->flags & OP_YIELD ? turns.idle + 1 : 0;
	*a = (struct action){CHOICE_RUN, 1, t};
}

/* ---- what is left when nobody has a turn ---- */

static bool let_sleep(bool due, struct action *a)
{
	struct rt_thread *first = NULL;

	SET_EACH(&sched.timed, slot)
	{
		struct rt_thread *t = sched.by_slot[slot];

		if (t->op->kind == EVENT_SLEEP && (!due || is_due(t)) &&
		    (!first || t->op->deadline < first->op->deadline))
			first = t;
	}
	if (!first)
		return false;
	turns.idle++;
	*a = (struct action){CHOICE_TIMEOUT, 1, first};
	return true;
}

/*
 * A thread that waits busily was seen at its element more often than it comes here, where it is
 * parked: the rest of its turns is left out.  True when somebody may have got a turn by that.
 */
static bool skip_spinners(void)
{
	bool any = false;

	SET_EACH(&sched.spinning, slot)
	{
		const struct rt_thread *t = sched.by_slot[slot];

		for (uint32_t e = 0; e < given.head->elements; e++) {
			const struct turns_run *r = run_of(e);

			if (r && r->thread == turns.known[t->tid] &&
			    !set_has(&sched.enabled, slot)) {
				advance(e, r->length);
				any = true;
			}
		}
	}
	return any;
}

static _Noreturn void stuck(void)
{
	uint32_t at = 0, other = 0;
	struct rt_thread *who = NULL;

	SET_EACH(&sched.enabled, slot)
	{
		uint32_t blocked = TURNS_NONE;

		if (claim_of(sched.by_slot[slot], &blocked) != CLAIM_NONE || who)
			continue;
		who = sched.by_slot[slot];
		at = other = blocked;
	}
	/* Whose turn it is there stands at another element, perhaps. */
	SET_EACH(&sched.enabled, slot)
	{
		struct rt_thread *t = sched.by_slot[slot];
		const struct turns_run *r = who ? run_of(at) : NULL;

		if (r && r->thread == turns.known[t->tid])
			claim_of(t, &other);
	}
	rt_ctl->result.diverged_at = (uint64_t)other << 32 | at;
	finish_outcome(OUTCOME_DIVERGED, "thread %u waits for its turn at element %u",
		       who ? who->tid : 0, at);
}

/* ---- the strategy ---- */

static uint32_t collect(enum claim wanted, uint32_t *slots)
{
	uint32_t n = 0, ignored;

	SET_EACH(&sched.enabled, slot)
	if (claim_of(sched.by_slot[slot], &ignored) == wanted)
		slots[n++] = slot;
	return n;
}

static bool take_one(enum claim wanted, struct action *a)
{
	uint32_t slots[WIRE_MAX_LIVE], n = collect(wanted, slots);

	if (n == 0)
		return false;
	for (uint32_t i = 0; i < n && wanted <= CLAIM_LOCK; i++)
		if (sched.by_slot[slots[i]] == rt_current && strategy_random_below(turns.stay)) {
			take(rt_current, a);
			return true;
		}
	take(sched.by_slot[slots[strategy_random_below(n)]], a);
	return true;
}

/* Anybody whose turn it is, or who sleeps. */
static bool take_any(struct action *a)
{
	uint32_t slots[WIRE_MAX_LIVE], n = 0, ignored;

	SET_EACH(&sched.enabled, slot)
	if (claim_of(sched.by_slot[slot], &ignored) <= CLAIM_SOFT)
		slots[n++] = slot;
	for (uint32_t i = 0; i < n; i++)
		if (sched.by_slot[slots[i]] == rt_current && strategy_random_below(turns.stay)) {
			take(rt_current, a);
			return true;
		}
	if (n == 0 || (set_any(&sched.timed) && strategy_random_below(n + 1) == n))
		return let_sleep(false, a);
	take(sched.by_slot[slots[strategy_random_below(n)]], a);
	return true;
}

static void choose(struct action *a)
{
	bool restless = turns.idle > LONGEST_IDLE;

	if (restless)
		turns.idle = 0;
	if (set_any(&sched.buffered)) {
		action_default(a, false);
		return;
	}
	if (turns.lax && !restless && take_any(a))
		return;
	do {
		if (take_one(CLAIM_DUE, a) || take_one(CLAIM_TURN, a) || let_sleep(true, a) ||
		    take_one(CLAIM_LOCK, a) || (restless && take_one(CLAIM_LATE, a)) ||
		    take_one(CLAIM_SOFT, a) || take_one(CLAIM_YIELD, a) || let_sleep(false, a) ||
		    take_one(CLAIM_WRONG, a))
			return;
	} while (skip_spinners());
	if (take_one(CLAIM_LATE, a))
		return;
	if (!set_any(&sched.timed))
		stuck();
	action_nth(action_count_without_timeouts(), a);
}

/* How many accesses of others lie before the thread's next turn at the element. */
static uint64_t distance(const struct rt_thread *t, uint32_t element)
{
	uint64_t sum = 0;

	if (element >= given.head->elements)
		return UINT64_MAX;
	for (uint64_t i = turns.at[element].run; i < given.elements[element].count; i++) {
		const struct turns_run *r = &given.runs[given.elements[element].first + i];

		if (r->thread == turns.known[t->tid])
			return sum;
		sum += r->length;
	}
	return UINT64_MAX;
}

/* Who of the sleepers at a condition is woken: the one that comes next in the order of the
 * condition. */
static uint32_t pick_sleeper(uint32_t n)
{
	uint32_t best = 0, number = 0;
	uint64_t least = UINT64_MAX;
	struct rt_thread *t;

	for (uint32_t tid = 0; (t = thread_by_tid(tid)) != NULL && number < n; tid++) {
		const struct coop_site *s;
		uint64_t far;

		if (t == rt_current || !t->op || t->state != THREAD_BLOCKED ||
		    t->op->kind != EVENT_COND_WAKE || t->op->addr != rt_current->op->addr)
			continue;
		s = t->op->site < given.head->sites ? &given.sites[t->op->site] : NULL;
		far = s ? distance(t, s->element) : UINT64_MAX;
		if (far == UINT64_MAX && s)
			far = distance(t, s->mutex);
		if (far < least) {
			least = far;
			best = number;
		}
		number++;
	}
	return least == UINT64_MAX ? strategy_random_below(n) : best;
}

static uint32_t pick(uint32_t n)
{
	if (rt_current->op && rt_current->op->kind == EVENT_COND_SIGNAL)
		return pick_sleeper(n);
	return strategy_random_below(n);
}

const struct strategy strategy_turns = {
	.begin = begin,
	.choose = choose,
	.pick = pick,
	.born = born,
};
