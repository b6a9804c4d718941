#include "guest/stable/replay/replay.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "guest/stable/conf.h"
#include "guest/stable/msg.h"
#include "guest/stable/os.h"
#include "guest/stable/sched/policy.h"
#include "guest/stable/sched/runq.h"
#include "guest/stable/sched/schedlog.h"
#include "wire/memo.h"

#define BYTES_MAX (UINT64_C(1) << 32)

static bool active;

static const struct memo_element *elements;
static uint32_t count;
static uint32_t at;	   /* operations done; a futex word for those who are held */
static uint32_t holders;   /* threads that wait for it */
static uint32_t is_closed; /* nobody has the turn: it waits for the thread that is wanted */

static void wake_holders(void)
{
	if (__atomic_load_n(&holders, __ATOMIC_SEQ_CST))
		os_futex_wake(&at, INT32_MAX);
}

/* With the turn, or for those who have none any more. */
static void hand_over(void)
{
	if (!active)
		return;
	ctl->replay = STABLE_REPLAY_LEFT;
	msg_say("the remembered schedule was left behind operation %u of %u", at, count);
	sched_policy = &policy_rr;
	__atomic_store_n(&active, false, __ATOMIC_SEQ_CST);
	wake_holders();
}

/* With the turn: t has done the operation. */
static void note(struct sched_thread *t, uint16_t op, uint16_t res, uint32_t obj)
{
	const struct memo_element *e = at < count ? &elements[at] : NULL;

	if (!active)
		return;
	/* That a thread comes to stand at an operation is only told by schedules that have it. */
	if (!memo_is_element(op, res) && (!e || memo_is_element(e->op, e->res)))
		return;
	if (!e || e->tid != t->tid || e->op != op || e->res != res || e->obj != obj) {
		hand_over();
		return;
	}
	t->held_until = e->hold;
	__atomic_store_n(&at, at + 1, __ATOMIC_SEQ_CST);
	ctl->replay_at = at;
	wake_holders();
}

/* ---- the policy ---- */

/* A race is put in order: what comes before it is not over yet. */
static void stay(struct sched_thread *t)
{
	uint32_t until = t->held_until, seen;

	t->held_until = 0;
	if (__atomic_load_n(&at, __ATOMIC_SEQ_CST) >= until)
		return;
	__atomic_add_fetch(&holders, 1, __ATOMIC_SEQ_CST);
	while ((seen = __atomic_load_n(&at, __ATOMIC_SEQ_CST)) < until &&
	       __atomic_load_n(&active, __ATOMIC_SEQ_CST))
		os_futex_wait(&at, seen, 100000000);
	__atomic_sub_fetch(&holders, 1, __ATOMIC_SEQ_CST);
}

static void put(struct sched_thread *t)
{
	t->keep.batch = 0;
	t->keep.kept = false;
	runq_rotate();
	__atomic_store_n(&t->word, SCHED_RUN, __ATOMIC_RELEASE);
	sched_pass_turn(t);
	if (__builtin_expect(t->held_until != 0, 0))
		stay(t);
}

static struct sched_thread *wanted(void)
{
	struct sched_thread *t = sched.all;

	while (t && (t->tid != elements[at].tid || t->finished))
		t = t->all_next;
	return t;
}

static void move_to_front(struct sched_thread *t)
{
	struct sched_thread *before = sched.head;

	if (before == t)
		return;
	while (before->rq_next != t)
		before = before->rq_next;
	before->rq_next = t->rq_next;
	if (sched.tail == t)
		sched.tail = before;
	t->rq_next = sched.head;
	sched.head = t;
}

enum readiness { IS_READY, IS_OUTSIDE, NEVER_COMES };

/* The thread that is wanted, brought into the run queue if it can be. */
static enum readiness make_ready(void)
{
	struct sched_thread *t = wanted();

	if (!t)
		return NEVER_COMES;
	if (!t->in_rq && t->waiting) {
		if (t->wait.deadline == SCHED_NEVER)
			return NEVER_COMES;
		sched_wake(t, ETIMEDOUT);
	}
	if (!t->in_rq)
		return IS_OUTSIDE;
	move_to_front(t);
	return IS_READY;
}

/*
 * The marker comes before the look at those who returned, and they look for it when they have said
 * so: one of the two sees the other.
 */
static bool is_open(void)
{
	uint32_t expected;

	for (;;) {
		if (at == count)
			return true; /* whatever comes is too much */
		sched_look_outside();
		switch (make_ready()) {
		case IS_READY:
			return true;
		case NEVER_COMES:
			hand_over();
			return true;
		case IS_OUTSIDE:
			break;
		}
		__atomic_store_n(&is_closed, 1, __ATOMIC_SEQ_CST);
		if (!sched_has_returned())
			return false;
		expected = 1;
		if (!__atomic_compare_exchange_n(&is_closed, &expected, 0, false, __ATOMIC_SEQ_CST,
						 __ATOMIC_SEQ_CST))
			return false;
	}
}

static bool take_closed(void)
{
	uint32_t expected = 1;

	return __atomic_compare_exchange_n(&is_closed, &expected, 0, false, __ATOMIC_SEQ_CST,
					   __ATOMIC_SEQ_CST);
}

static void returned(struct sched_thread *t)
{
	if (take_closed())
		sched_pass_turn(t);
}

static void impatient(struct sched_thread *t)
{
	if (!take_closed())
		return;
	hand_over();
	sched_pass_turn(t);
}

/* Nobody is in the run queue. */
static void empty(void)
{
	if (at < count && make_ready() == NEVER_COMES)
		hand_over();
}

static const struct sched_policy policy_replay = {.put = put,
						  .open = is_open,
						  .empty = empty,
						  .returned = returned,
						  .impatient = impatient,
						  .untimed = true};

/* ---- beginning ---- */

static const struct memo_replay *map(const char *path)
{
	struct memo_replay *r = NULL;
	int fd = os_open(path, O_RDONLY, 0);
	struct stat st;

	if (fd < 0)
		return NULL;
	if (sys_call3(SYS_fstat, fd, &st, 0) == 0 && st.st_size >= (off_t)sizeof(*r) &&
	    (uint64_t)st.st_size < BYTES_MAX)
		r = os_pages((size_t)st.st_size);
	if (r && sys_read(fd, r, (size_t)st.st_size) != st.st_size)
		r = NULL;
	sys_close(fd);
	if (!r || r->magic != MEMO_REPLAY_MAGIC || r->version != MEMO_REPLAY_VERSION ||
	    r->count > ((uint64_t)st.st_size - sizeof(*r)) / sizeof(r->elements[0]))
		return NULL;
	return r;
}

void replay_init(void)
{
	const struct memo_replay *r;

	/* Of the process that heddle started, not of what it starts in turn. */
	if (!conf.replay[0] || (conf.ctl[0] && !msg_has_host()))
		return;
	r = map(conf.replay);
	if (!r) {
		msg_say("the remembered schedule %s cannot be read", conf.replay);
		ctl->replay = STABLE_REPLAY_LEFT;
		return;
	}
	elements = r->elements;
	count = r->count;
	schedlog_listener = note;
	active = true;
	ctl->replay = STABLE_REPLAY_FOLLOWED;
	sched_policy = &policy_replay;
}

void replay_fork_child(void)
{
	if (!active)
		return;
	active = false;
	schedlog_listener = NULL;
	sched_policy = &policy_rr;
}
