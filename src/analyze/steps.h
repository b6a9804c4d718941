/* What calls and branches do to a state: threads made and joined, locks taken and given back. */
#ifndef HEDDLE_ANALYZE_STEPS_H
#define HEDDLE_ANALYZE_STEPS_H

#include "analyze/flow.h"

void steps_queue(struct flow *f, uint32_t body);
/* The state comes to the entry of a body. */
void steps_enter(struct flow *f, uint32_t body, const struct state *s);
bool steps_is_above(const struct whole *w, uint32_t above, uint32_t thread);
/* Threads of that place run from now on, with those they make. */
void steps_add_thread(struct flow *f, struct state *s, uint32_t t);
void steps_thread_ends(struct flow *f, uint32_t thread, const struct state *s);

void steps_call(struct flow *f, uint32_t body, LLVMValueRef call, struct state *s);
/* A branch goes one way: what that says of the call whose result it looks at. */
void steps_branched(struct flow *f, uint32_t body, LLVMValueRef end, unsigned way, struct state *s);

#endif
