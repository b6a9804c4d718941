/* What operations are to the orders of strategy_turns.c. */
#ifndef HEDDLE_GUEST_CHECK_SCHED_TURNS_OPS_H
#define HEDDLE_GUEST_CHECK_SCHED_TURNS_OPS_H

#include <stdbool.h>
#include <stdint.h>

/* Has it a place in an order, when its site has an element?  kind: enum event_kind. */
bool turns_is_access(uint32_t kind);
/* After it others may have to wait. */
bool turns_takes(uint32_t kind);
/* It lets go what was taken. */
bool turns_gives(uint32_t kind);

#endif
