/*
 * Which actions to try in a configuration: all of a persistent set of threads, as small as can be
 * found.  See product.h.
 */
#ifndef HEDDLE_LEARN_CHOOSE_H
#define HEDDLE_LEARN_CHOOSE_H

#include "explore/learn/machine.h"

struct choose_actions {
	VEC_FIELDS(struct machine_action);
};

/* Appends them; nothing when nobody can go on.  first: the thread that is looked at first. */
void choose_actions(const struct machine *m, machine_config *c, uint32_t first,
		    struct choose_actions *out);
/* The same without reduction. */
void choose_all(const struct machine *m, machine_config *c, struct choose_actions *out);
/* All that one thread could do. */
void choose_of(const struct machine *m, machine_config *c, uint32_t t, struct choose_actions *out);

#endif
