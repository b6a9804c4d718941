#include "memo/learn/operations.h"

#include <errno.h>
#include <stddef.h>

#include "wire/ctl.h"

bool operation_is_sync(const struct symex_event *e)
{
	switch ((enum event_kind)e->kind) {
	case EVENT_THREAD_BEGIN:
	case EVENT_THREAD_END:
	case EVENT_THREAD_CREATE:
	case EVENT_THREAD_JOIN:
	case EVENT_THREAD_DETACH:
	case EVENT_THREAD_CANCEL:
	case EVENT_EXIT:
	case EVENT_KILL:
	case EVENT_HANDLER:
	case EVENT_YIELD:
	case EVENT_SLEEP:
	case EVENT_FD:
		return true;
	default:
		return e->kind >= EVENT_LOCK && e->kind <= EVENT_FUTEX_WAKE;
	}
}

#define ANY UINT16_MAX

/* The first row that fits says which events an operation with that result may be. */
static const struct {
	uint16_t op, res;
	uint8_t kinds[3]; /* 0 ends them */
} rows[] = {
	{STABLE_OP_THREAD_CREATE, ANY, {EVENT_THREAD_CREATE}},
	{STABLE_OP_THREAD_BEGIN, ANY, {EVENT_THREAD_BEGIN}},
	{STABLE_OP_THREAD_END, ANY, {EVENT_THREAD_END, EVENT_EXIT}},
	{STABLE_OP_THREAD_JOIN, ANY, {EVENT_THREAD_JOIN}},
	{STABLE_OP_THREAD_DETACH, ANY, {EVENT_THREAD_DETACH}},
	{STABLE_OP_MUTEX_INIT, ANY, {EVENT_OBJ_INIT}},
	{STABLE_OP_COND_INIT, ANY, {EVENT_OBJ_INIT}},
	{STABLE_OP_RWLOCK_INIT, ANY, {EVENT_OBJ_INIT}},
	{STABLE_OP_SEM_INIT, ANY, {EVENT_OBJ_INIT}},
	{STABLE_OP_BARRIER_INIT, ANY, {EVENT_OBJ_INIT}},
	{STABLE_OP_SPIN_INIT, ANY, {EVENT_OBJ_INIT}},
	{STABLE_OP_MUTEX_DESTROY, ANY, {EVENT_OBJ_DESTROY}},
	{STABLE_OP_COND_DESTROY, ANY, {EVENT_OBJ_DESTROY}},
	{STABLE_OP_RWLOCK_DESTROY, ANY, {EVENT_OBJ_DESTROY}},
	{STABLE_OP_SEM_DESTROY, ANY, {EVENT_OBJ_DESTROY}},
	{STABLE_OP_BARRIER_DESTROY, ANY, {EVENT_OBJ_DESTROY}},
	{STABLE_OP_SPIN_DESTROY, ANY, {EVENT_OBJ_DESTROY}},
	{STABLE_OP_MUTEX_LOCK, ANY, {EVENT_LOCK}},
	{STABLE_OP_MUTEX_TRYLOCK, ANY, {EVENT_TRYLOCK}},
	{STABLE_OP_MUTEX_UNLOCK, ANY, {EVENT_UNLOCK}},
	{STABLE_OP_COND_SIGNAL, ANY, {EVENT_COND_SIGNAL}},
	{STABLE_OP_COND_BROADCAST, ANY, {EVENT_COND_BROADCAST}},
	{STABLE_OP_RWLOCK_RDLOCK, ANY, {EVENT_RDLOCK}},
	{STABLE_OP_RWLOCK_WRLOCK, ANY, {EVENT_WRLOCK}},
	{STABLE_OP_RWLOCK_TRYRDLOCK, ANY, {EVENT_TRYRDLOCK}},
	{STABLE_OP_RWLOCK_TRYWRLOCK, ANY, {EVENT_TRYWRLOCK}},
	{STABLE_OP_RWLOCK_UNLOCK, ANY, {EVENT_RWUNLOCK}},
	{STABLE_OP_SEM_WAIT, ANY, {EVENT_SEM_WAIT}},
	{STABLE_OP_SEM_TRYWAIT, ANY, {EVENT_SEM_TRYWAIT}},
	{STABLE_OP_SEM_GETVALUE, ANY, {EVENT_SEM_TRYWAIT}},
	{STABLE_OP_SEM_POST, ANY, {EVENT_SEM_POST}},
	{STABLE_OP_SPIN_LOCK, ANY, {EVENT_SPIN_LOCK}},
	{STABLE_OP_SPIN_TRYLOCK, ANY, {EVENT_SPIN_TRYLOCK}},
	{STABLE_OP_SPIN_UNLOCK, ANY, {EVENT_SPIN_UNLOCK}},
	{STABLE_OP_YIELD, ANY, {EVENT_YIELD}},
	{STABLE_OP_SLEEP, ANY, {EVENT_SLEEP}},
	{STABLE_OP_MUTEX_TIMEDLOCK, ETIMEDOUT, {EVENT_LOCK_TIMEOUT}},
	{STABLE_OP_MUTEX_TIMEDLOCK, ANY, {EVENT_LOCK}},
	{STABLE_OP_COND_WAIT, STABLE_RES_BLOCKED, {EVENT_COND_WAIT}},
	{STABLE_OP_COND_WAIT, ANY, {EVENT_COND_WAKE}},
	{STABLE_OP_COND_TIMEDWAIT, STABLE_RES_BLOCKED, {EVENT_COND_WAIT}},
	{STABLE_OP_COND_TIMEDWAIT, ETIMEDOUT, {EVENT_COND_TIMEOUT}},
	{STABLE_OP_COND_TIMEDWAIT, ANY, {EVENT_COND_WAKE}},
	{STABLE_OP_SEM_TIMEDWAIT, ETIMEDOUT, {EVENT_SEM_TIMEOUT}},
	{STABLE_OP_SEM_TIMEDWAIT, ANY, {EVENT_SEM_WAIT}},
	{STABLE_OP_BARRIER_WAIT, STABLE_RES_RETURN, {EVENT_BARRIER_LEAVE}},
	{STABLE_OP_BARRIER_WAIT, ANY, {EVENT_BARRIER_ARRIVE}},
	{STABLE_OP_ONCE, STABLE_RES_RETURN, {EVENT_ONCE_END}},
	{STABLE_OP_ONCE, ANY, {EVENT_ONCE_BEGIN, EVENT_ONCE_PASS}},
};

static const uint8_t *kinds_of(const struct stable_entry *e)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (rows[i].op == e->op && (rows[i].res == ANY || rows[i].res == e->res))
			return rows[i].kinds;
	return NULL;
}

bool operation_known(const struct stable_entry *e)
{
	return kinds_of(e) != NULL;
}

static bool same_result(const struct stable_entry *e, const struct symex_event *x)
{
	switch ((enum stable_op)e->op) {
	case STABLE_OP_MUTEX_TRYLOCK:
	case STABLE_OP_RWLOCK_TRYRDLOCK:
	case STABLE_OP_RWLOCK_TRYWRLOCK:
	case STABLE_OP_SPIN_TRYLOCK:
	case STABLE_OP_SEM_TRYWAIT:
		return !e->res == !x->value;
	case STABLE_OP_ONCE:
		return e->res == STABLE_RES_RETURN ||
		       (x->kind == EVENT_ONCE_BEGIN) == (e->arg != 0);
	case STABLE_OP_BARRIER_WAIT:
		return e->res == STABLE_RES_RETURN ||
		       (e->res == STABLE_RES_SERIAL) == (x->size == SYNC_LAST);
	case STABLE_OP_THREAD_CREATE:
		return e->res == 0 && e->obj == x->aux;
	case STABLE_OP_COND_WAIT:
	case STABLE_OP_COND_TIMEDWAIT:
		return e->res == STABLE_RES_BLOCKED || e->res == STABLE_RES_RETURN ||
		       x->kind == EVENT_COND_TIMEOUT;
	case STABLE_OP_SLEEP:
		return e->res == STABLE_RES_RETURN;
	case STABLE_OP_MUTEX_TIMEDLOCK:
	case STABLE_OP_SEM_TIMEDWAIT:
		return e->res == 0 || e->res == ETIMEDOUT;
	default:
		return e->res == 0;
	}
}

bool operation_fits(const struct stable_entry *e, const struct symex_event *x)
{
	for (const uint8_t *k = kinds_of(e); k && *k; k++)
		if (*k == x->kind)
			return same_result(e, x);
	return false;
}

bool operation_leaves(const struct stable_entry *e)
{
	return e->op == STABLE_OP_BARRIER_WAIT && e->res == STABLE_RES_SERIAL;
}
