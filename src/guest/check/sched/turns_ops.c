#include "guest/check/sched/turns_ops.h"

#include "wire/event.h"

bool turns_is_access(uint32_t kind)
{
	switch (kind) {
	case EVENT_READ:
	case EVENT_WRITE:
	case EVENT_RMW:
	case EVENT_ISSUE:
	case EVENT_READ_RANGE:
	case EVENT_WRITE_RANGE:
	case EVENT_LOCK:
	case EVENT_TRYLOCK:
	case EVENT_RDLOCK:
	case EVENT_WRLOCK:
	case EVENT_TRYRDLOCK:
	case EVENT_TRYWRLOCK:
	case EVENT_SPIN_LOCK:
	case EVENT_SPIN_TRYLOCK:
	case EVENT_COND_WAIT:
	case EVENT_COND_SIGNAL:
	case EVENT_COND_BROADCAST:
	case EVENT_SEM_WAIT:
	case EVENT_SEM_POST:
	case EVENT_SEM_TRYWAIT:
		return true;
	default:
		return false;
	}
}

bool turns_takes(uint32_t kind)
{
	switch (kind) {
	case EVENT_LOCK:
	case EVENT_TRYLOCK:
	case EVENT_RDLOCK:
	case EVENT_WRLOCK:
	case EVENT_TRYRDLOCK:
	case EVENT_TRYWRLOCK:
	case EVENT_SPIN_LOCK:
	case EVENT_SPIN_TRYLOCK:
	case EVENT_SEM_WAIT:
	case EVENT_SEM_TRYWAIT:
		return true;
	default:
		return false;
	}
}

bool turns_gives(uint32_t kind)
{
	switch (kind) {
	case EVENT_UNLOCK:
	case EVENT_RWUNLOCK:
	case EVENT_SPIN_UNLOCK:
	case EVENT_COND_WAIT:
	case EVENT_SEM_POST:
		return true;
	default:
		return false;
	}
}
