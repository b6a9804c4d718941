/* Accesses and acquisitions of locks with the states they happen in: the last pass of flow.h. */
#ifndef HEDDLE_ANALYZE_COLLECT_H
#define HEDDLE_ANALYZE_COLLECT_H

#include "analyze/flow.h"

void collect_accesses(struct flow *f, uint32_t body, LLVMValueRef i, const struct state *s);
void collect_taken(struct flow *f, uint32_t acquisition, const struct state *s);

#endif
