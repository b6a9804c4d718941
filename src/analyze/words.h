/* Places and names of what the analysis has to do with, for people. */
#ifndef HEDDLE_ANALYZE_WORDS_H
#define HEDDLE_ANALYZE_WORDS_H

#include "analyze/flow.h"
#include "model/analysis.h"

/* Where an instruction stands; the caller owns the texts. */
struct finding_place words_place(struct whole *w, LLVMValueRef at);
/* Of what a pointer points to, when an access of so many bytes is made there. */
void words_variable(struct whole *w, LLVMValueRef pointer, uint64_t bytes, struct strbuf *to);
/* "main", "T2 worker". */
void words_thread(struct whole *w, uint32_t thread, struct strbuf *to);
/* The calls that lead to a place in a body, innermost first. */
void words_stack(struct whole *w, uint32_t body, LLVMValueRef at, struct finding_event *to);
/* An event of a finding at an access, or at a lock that is taken. */
void words_access(struct flow *f, const struct access *a, struct finding *to);
void words_taken(struct flow *f, const struct taken *t, struct finding *to);

#endif
