/* Single instructions.  Private to symex/machine. */
#ifndef HEDDLE_SYMEX_MACHINE_STEP_H
#define HEDDLE_SYMEX_MACHINE_STEP_H

#include "ir/canon.h"
#include "symex/machine/machine.h"

struct step {
	struct machine *m;
	struct machine_thread *t;
	struct machine_frame *f;
	uint64_t *r;
	expr_id *x;
};

/* All answer false when the thread is over or the frame is another one. */

/* Any operation by its meaning. */
bool step_compute(struct step *s, const struct code_insn *i, enum expr_op op, uint16_t aux);
/* A word that must be a number becomes one. */
bool step_settle(struct step *s, uint32_t slot);
bool step_load(struct step *s, const struct code_insn *i);
bool step_store(struct step *s, const struct code_insn *i);
bool step_branch(struct step *s, const struct code_insn *i);
bool step_switch_to(struct step *s, const struct code_insn *i);
void step_call(struct step *s, const struct code_call *c);
bool step_unusual(struct step *s, const struct code_insn *i);
void step_moves(struct step *s, const struct code_insn *i);
bool step_select_one(struct step *s, const struct code_insn *i);
bool step_address(struct step *s, const struct code_insn *i);
/* A word as an expression, whatever it is known as. */
expr_id step_expr_of(struct step *s, uint32_t slot, unsigned w);
/* The site that the thread came by last. */
uint32_t step_here(const struct step *s);
uint32_t step_unit_of(const struct step *s);
/* The frame has come to where the ways meet (machine_values.enter). */
void step_leave(struct step *s);

#endif
