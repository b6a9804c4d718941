/*
 * What steps do to locks, conditions, semaphores and the like: the rules of wire/rules.h on the
 * objects of a configuration.  See machine.h.
 */
#include "explore/learn/machine_priv.h"

#include <assert.h>

#define WHO(thread) ((thread) + 1)

static uint32_t kind_of(const struct machine *m, uint32_t object)
{
	return object == LEARN_NONE ? (uint32_t)LEARN_MEMORY : m->l->objects.items[object].kind;
}

/* ---- sleepers ---- */

uint32_t machine_sleepers(const struct machine *m, machine_config *c, uint32_t object)
{
	uint32_t n = 0;

	for (uint32_t t = 0; t < m->l->threads.count; t++)
		n += machine_thread(m, c, t)->sleep == object + 1;
	return n;
}

/* The sleeper number n in the order of the guest's thread numbers. */
static uint32_t nth_sleeper(const struct machine *m, machine_config *c, uint32_t object, uint32_t n)
{
	const struct machine_tail *tail = machine_tail(m, c);

	for (uint32_t tid = 0; tid < tail->created; tid++) {
		for (uint32_t t = 0; t < m->l->threads.count; t++) {
			if (machine_thread(m, c, t)->sleep != object + 1 || tail->tid[t] != tid)
				continue;
			if (n-- == 0)
				return t;
		}
	}
	return LEARN_NONE;
}

static void fall_asleep(const struct machine *m, machine_config *c, uint32_t t, uint32_t object)
{
	assert(machine_thread(m, c, t)->sleep == 0);
	machine_thread(m, c, t)->sleep = object + 1;
}

static void rouse(struct machine_thread *x)
{
	assert(x->sleep != 0);
	x->sleep = 0;
	x->for_nothing = 0;
}

/* Wakes at most so many; which one, when there is a choice, the action says. */
static void wake(const struct machine *m, machine_config *c, uint32_t object, uint32_t most,
		 uint32_t chosen)
{
	uint32_t asleep = machine_sleepers(m, c, object), wakes = rule_wakes(asleep, most);

	assert(chosen < rule_wake_ways(asleep, wakes) && (wakes <= 1 || wakes == asleep));
	for (uint32_t i = 0; i < wakes; i++)
		rouse(machine_thread(m, c, nth_sleeper(m, c, object, chosen)));
	assert(machine_sleepers(m, c, object) == asleep - wakes);
}

/* How many a step may wake: 0 when it wakes nobody. */
static uint32_t most_woken(const struct learn_step *s)
{
	switch (s->op) {
	case LEARN_SIGNAL:
		return 1;
	case LEARN_FUTEX_WAKE:
		return s->value == 1 ? 1 : RULE_ALL;
	case LEARN_BROADCAST:
		return RULE_ALL;
	default:
		return 0;
	}
}

uint32_t machine_wake_ways(const struct machine *m, machine_config *c, const struct learn_step *s)
{
	uint32_t most = most_woken(s), asleep;

	if (most != 1)
		return 1;
	asleep = machine_sleepers(m, c, s->object);
	return rule_wake_ways(asleep, rule_wakes(asleep, most));
}

/* ---- the rules ---- */

enum rule_answer machine_ask(const struct machine *m, machine_config *c, uint32_t t,
			     const struct learn_step *s)
{
	const struct machine_sync *o = machine_sync(m, c, s->object);

	switch (s->op) {
	case LEARN_LOCK:
	case LEARN_TRYLOCK:
		return rule_mutex_ask(&o->mutex, WHO(t));
	case LEARN_WAKE:
		return rule_mutex_ask(&machine_sync(m, c, s->other)->mutex, WHO(t));
	case LEARN_RDLOCK:
	case LEARN_TRYRDLOCK:
		return rule_rwlock_ask(&o->rwlock, WHO(t), false);
	case LEARN_WRLOCK:
	case LEARN_TRYWRLOCK:
		return rule_rwlock_ask(&o->rwlock, WHO(t), true);
	case LEARN_TAKE:
	case LEARN_TRYTAKE:
		return rule_sem_ask(&o->sem);
	case LEARN_ONCE:
		return rule_once_ask(&o->once);
	default:
		assert(!"a step that asks for nothing");
		return RULE_MISUSE;
	}
}

/* ---- misuse ---- */

static bool owner_lives(const struct machine *m, machine_config *c, uint32_t owner)
{
	return owner != RULE_NOBODY &&
	       machine_thread(m, c, owner - 1)->state != MACHINE_ENDED;
}

static uint32_t standing_at(const struct machine *m, machine_config *c, uint32_t object,
			    enum learn_op op)
{
	uint32_t n = 0;

	for (uint32_t t = 0; t < m->l->threads.count; t++) {
		const struct learn_step *s = machine_step(m, c, t);

		n += s && s->op == op && s->object == object;
	}
	return n;
}

/* Whether the object may begin (anew) or end now. */
static bool may_change_life(const struct machine *m, machine_config *c, uint32_t t,
			    const struct learn_step *s)
{
	const struct machine_sync *o = machine_sync(m, c, s->object);
	bool begins = s->op == LEARN_SET;

	switch (kind_of(m, s->object)) {
	case LEARN_MUTEX:
		return rule_mutex_idle(&o->mutex) ||
		       (begins && rule_lock_may_begin(o->mutex.owner, WHO(t),
						      owner_lives(m, c, o->mutex.owner)));
	case LEARN_RWLOCK:
		return rule_rwlock_idle(&o->rwlock) ||
		       (begins && rule_lock_may_begin(o->rwlock.writer, WHO(t),
						      owner_lives(m, c, o->rwlock.writer)));
	case LEARN_CONDITION:
		return rule_cond_idle(machine_sleepers(m, c, s->object));
	case LEARN_SEMAPHORE:
		return rule_sem_idle(&o->sem, standing_at(m, c, s->object, LEARN_TAKE));
	case LEARN_BARRIER:
		return rule_barrier_idle(&o->barrier) &&
		       (begins || rule_barrier_ask(&o->barrier) == RULE_GO);
	default:
		return true;
	}
}

bool machine_destroy_waits(const struct machine *m, machine_config *c, const struct learn_step *s)
{
	/* Who was let go leaves first; one that still waits makes it a misuse, at once. */
	return kind_of(m, s->object) == LEARN_BARRIER &&
	       rule_barrier_idle(&machine_sync(m, c, s->object)->barrier) &&
	       standing_at(m, c, s->object, LEARN_LEAVE) > 0;
}

/* A thread that was woken has left the condition behind and wants its mutex. */
static bool uses_object(const struct machine *m, machine_config *c, uint32_t t,
			const struct learn_step *s)
{
	return s->object != LEARN_NONE &&
	       !(s->op == LEARN_WAKE && machine_thread(m, c, t)->sleep == 0);
}

static bool is_dead(const struct machine *m, machine_config *c, uint32_t t,
		    const struct learn_step *s)
{
	unsigned char life = uses_object(m, c, t, s) ? c[m->life_at + s->object] : MACHINE_ALIVE;

	if (s->lies_in && c[m->life_at + s->lies_in - 1] != MACHINE_ALIVE)
		return true;
	if (life == MACHINE_FREED || (life == MACHINE_DESTROYED && s->op != LEARN_SET))
		return true;
	return (s->op == LEARN_WAIT || s->op == LEARN_WAKE) &&
	       c[m->life_at + s->other] != MACHINE_ALIVE;
}

bool machine_misuses(const struct machine *m, machine_config *c, uint32_t t,
		     const struct learn_step *s)
{
	if (is_dead(m, c, t, s))
		return true;
	switch (s->op) {
	case LEARN_SET:
	case LEARN_DESTROY:
		return !may_change_life(m, c, t, s);
	case LEARN_UNLOCK:
		return rule_mutex_ask_drop(&machine_sync(m, c, s->object)->mutex, WHO(t)) != RULE_GO;
	case LEARN_WAIT:
		return rule_mutex_ask_drop(&machine_sync(m, c, s->other)->mutex, WHO(t)) != RULE_GO;
	case LEARN_RWUNLOCK:
		return rule_rwlock_ask_drop(&machine_sync(m, c, s->object)->rwlock, WHO(t)) !=
		       RULE_GO;
	case LEARN_ARRIVE:
		return rule_barrier_ask(&machine_sync(m, c, s->object)->barrier) != RULE_GO;
	default:
		return false;
	}
}

/* ---- effects ---- */

static void begin_object(const struct machine *m, machine_config *c, const struct learn_step *s)
{
	struct machine_sync *o = machine_sync(m, c, s->object);

	assert(c[m->life_at + s->object] != MACHINE_FREED);
	memset(o, 0, sizeof(*o));
	if (kind_of(m, s->object) == LEARN_SEMAPHORE)
		o->sem.tokens = (uint32_t)s->value;
	else if (kind_of(m, s->object) == LEARN_BARRIER)
		o->barrier.limit = (uint32_t)s->value;
	c[m->life_at + s->object] = MACHINE_ALIVE;
}

static void end_object(const struct machine *m, machine_config *c, const struct learn_step *s)
{
	memset(machine_sync(m, c, s->object), 0, sizeof(struct machine_sync));
	if (!m->l->objects.items[s->object].revives)
		c[m->life_at + s->object] = MACHINE_DESTROYED;
}

static void arrive(const struct machine *m, machine_config *c, uint32_t t,
		   const struct learn_step *s)
{
	if (rule_barrier_arrive(&machine_sync(m, c, s->object)->barrier))
		wake(m, c, s->object, RULE_ALL, 0);
	else
		fall_asleep(m, c, t, s->object);
}

/* Locks and tokens; false: the step is none of these. */
static bool take_or_drop(const struct machine *m, machine_config *c, uint32_t t,
			 const struct learn_step *s)
{
	struct machine_sync *o;

	if (kind_of(m, s->object) == LEARN_MEMORY)
		return false;
	o = machine_sync(m, c, s->object);
	switch (s->op) {
	case LEARN_LOCK:
		rule_mutex_take(&o->mutex, WHO(t));
		return true;
	case LEARN_WRLOCK:
	case LEARN_RDLOCK:
		rule_rwlock_take(&o->rwlock, WHO(t), s->op == LEARN_WRLOCK);
		return true;
	case LEARN_UNLOCK:
		rule_mutex_drop(&o->mutex, WHO(t));
		return true;
	case LEARN_RWUNLOCK:
		rule_rwlock_drop(&o->rwlock, WHO(t));
		return true;
	case LEARN_TAKE:
		rule_sem_take(&o->sem);
		return true;
	case LEARN_GIVE:
		rule_sem_give(&o->sem);
		return true;
	case LEARN_ONCE_END:
		rule_once_end(&o->once, s->value);
		return true;
	default:
		return false;
	}
}

void machine_synchronise(const struct machine *m, machine_config *c, uint32_t t,
			 const struct learn_step *s, uint32_t chosen)
{
	if (take_or_drop(m, c, t, s))
		return;
	switch (s->op) {
	case LEARN_WAIT:
		rule_mutex_drop(&machine_sync(m, c, s->other)->mutex, WHO(t));
		fall_asleep(m, c, t, s->object);
		break;
	case LEARN_WAKE:
		rule_mutex_take(&machine_sync(m, c, s->other)->mutex, WHO(t));
		break;
	case LEARN_SIGNAL:
	case LEARN_BROADCAST:
	case LEARN_FUTEX_WAKE:
		wake(m, c, s->object, most_woken(s), chosen);
		break;
	case LEARN_ARRIVE:
		arrive(m, c, t, s);
		break;
	case LEARN_FORK:
		machine_birth(m, c, s->other);
		break;
	case LEARN_END:
		machine_thread(m, c, t)->state = MACHINE_ENDED;
		break;
	case LEARN_SET:
		begin_object(m, c, s);
		break;
	case LEARN_DESTROY:
		end_object(m, c, s);
		break;
	default:
		break;
	}
}

void machine_attempt(const struct machine *m, machine_config *c, uint32_t t,
		     const struct learn_step *s, const struct learn_node *n)
{
	struct machine_sync *o = machine_sync(m, c, s->object);

	switch (s->op) {
	case LEARN_TRYLOCK:
		if (n->writes)
			rule_mutex_take(&o->mutex, WHO(t));
		break;
	case LEARN_TRYRDLOCK:
	case LEARN_TRYWRLOCK:
		if (n->writes)
			rule_rwlock_take(&o->rwlock, WHO(t), s->op == LEARN_TRYWRLOCK);
		break;
	case LEARN_TRYTAKE:
		if (n->writes)
			rule_sem_take(&o->sem);
		break;
	case LEARN_ONCE:
		rule_once_begin(&o->once, WHO(t));
		break;
	case LEARN_FD:
		o->fds = learn_fds_move(&m->l->fds, o->fds, (uint32_t)s->value).next;
		break;
	case LEARN_FUTEX_WAIT:
		if (n->value == 0)
			fall_asleep(m, c, t, s->object);
		break;
	default:
		break;
	}
}
