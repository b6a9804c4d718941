/* Private to nested.c and plain.c. */
#ifndef HEDDLE_EXPLORE_NESTED_PRIV_H
#define HEDDLE_EXPLORE_NESTED_PRIV_H

#include "explore/nested/nested.h"

/* The result is not complete, and why; each reason is said once. */
void nested_give_reason(struct nested_result *r, const char *text);
/* The same with a text that is used up; none when it is empty. */
void nested_give_reasons(struct nested_result *r, struct strbuf *text);

bool nested_is_known(const struct nested_result *r, const struct nested_failure *f);
/* Takes the failure over, if there is one that is new. */
int nested_note_failure(struct nested_program *p, struct nested_result *r,
			const struct nested_run *run, bool decided, struct err *e);

/* So many runs without a choice: they must all be the same. */
int nested_run_plain(struct nested_program *p, struct nested_result *r, unsigned runs,
		     struct err *e);

#endif
