/* Operations of a schedule log, and the events of the machine that they are. */
#ifndef HEDDLE_MEMO_LEARN_OPERATIONS_H
#define HEDDLE_MEMO_LEARN_OPERATIONS_H

#include "symex/symex.h"
#include "wire/stable.h"

/* Whether an event is one that a schedule orders. */
bool operation_is_sync(const struct symex_event *e);
/* Whether anybody knows what it is in the machine. */
bool operation_known(const struct stable_entry *e);
/* Whether the event is that operation, with the same outcome. */
bool operation_fits(const struct stable_entry *e, const struct symex_event *x);
/* The last one at a barrier leaves it in the same operation. */
bool operation_leaves(const struct stable_entry *e);

#endif
