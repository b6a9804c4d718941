/* Shared by search.c and closer.c; private to them. */
#ifndef HEDDLE_EXPLAIN_SEARCH_PRIV_H
#define HEDDLE_EXPLAIN_SEARCH_PRIV_H

#include "explain/search.h"

/* No more runs: limits are reached, or what was found can hardly be better. */
bool explain_search_over(const struct explain_search *s);
/* Whether a run can be compared with the failing one. */
bool explain_search_counts(const struct run_result *r);
/* Takes over *r; true when it is the best so far. */
bool explain_search_take(struct explain_search *s, struct run_result *r);
/* One run along a wish. */
int explain_search_try(struct explain_search *s, const struct model_schedule *wish, struct err *e);
/* One run along an order of the failing operations. */
int explain_search_order(struct explain_search *s, const struct explain_order *order,
			 struct err *e);
/* The failing order with one store in time. */
int explain_search_prompt(struct explain_search *s, uint32_t commit, uint32_t issue, struct err *e);

/* Drawn schedules. */
int explain_search_draw(struct explain_search *s, struct err *e);
/* The best one with more of the failing order, as long as it passes. */
int explain_search_closer(struct explain_search *s, struct err *e);
/* More runs, near the failing one and anywhere, to test claims on. */
int explain_search_test(struct explain_search *s, struct err *e);

#endif
