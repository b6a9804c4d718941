/* Operations on the states of flow.h. */
#ifndef HEDDLE_ANALYZE_STATE_H
#define HEDDLE_ANALYZE_STATE_H

#include "analyze/flow.h"

struct state state_new(const struct flow *f);
void state_free(struct state *s);
void state_copy(const struct flow *f, struct state *to, const struct state *from);
/* to holds what both hold; true when it changed. */
bool state_join(const struct flow *f, struct state *to, const struct state *from);
bool state_same(const struct flow *f, const struct state *a, const struct state *b);

/* A token with that pointer, made when there is none. */
uint32_t state_token(struct flow *f, const struct token *like);
void state_acquire(struct flow *f, struct state *s, uint32_t token);
/* Whatever may be what the pointer means is held no more. */
void state_release(struct flow *f, struct state *s, const struct token *what);
/* The result of a call is known: its token is held, or not. */
void state_decide(struct flow *f, struct state *s, LLVMValueRef call, bool held);
/* A value of a body is computed anew. */
void state_forget(struct flow *f, struct state *s, uint32_t body, LLVMValueRef v);
/* So is every value of a body. */
void state_forget_body(struct flow *f, struct state *s, uint32_t body);

#endif
