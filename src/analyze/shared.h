/* Which objects other threads than the one that makes them may come to. */
#ifndef HEDDLE_ANALYZE_SHARED_H
#define HEDDLE_ANALYZE_SHARED_H

#include "analyze/flow.h"

/* By object; the caller frees it. */
bool *shared_find(struct flow *f);

#endif
