/*
 * Which of the orderings of the failing schedule force the failure (Machado et al., root cause).
 *
 * The failing schedule is written down as orderings, in two ways: as a chain, each thread's stretch
 * before the next one; and by conflicts, every two operations of different threads at the same
 * memory of which one writes, and every giving up of a lock before every later taking of it.  A
 * core is a set of them that no passing execution on the same path keeps, and none of them can be
 * left out.  Where the
 * published method asks a solver for an unsatisfiable core, all passing executions that were seen
 * are asked here: when these are all that there are, that is the same, and the core is minimal.
 */
#ifndef HEDDLE_EXPLAIN_CORE_H
#define HEDDLE_EXPLAIN_CORE_H

#include "explain/search.h"
#include "model/explanation.h"

/* All orderings of the failing schedule; appended to *out, operations. */
void explain_core_chain(const struct explain_exec *f, struct explain_conflicts *out);
void explain_core_conflicts(const struct explain_exec *f, struct explain_conflicts *out);

/*
 * Leaves a core of them in *orders; nothing when no set of a few does, when the execution is too
 * long, or when nothing on the same path passes.
 */
void explain_core_find(const struct explain_search *s, struct explain_conflicts *orders);

/* Both, as events. */
void explain_core_fill(const struct explain_search *s, struct explanation *out);

#endif
