/* Private to symex/follow/convert*.c. */
#ifndef HEDDLE_SYMEX_FOLLOW_CONVERT_PRIV_H
#define HEDDLE_SYMEX_FOLLOW_CONVERT_PRIV_H

#include "symex/follow/convert.h"

/*
 * An operation on an object, appended to the trace; expired: the wait that it ends had a limit and
 * reached it.  ERR_UNSUPPORTED with the place for what orders cannot express.
 */
int convert_sync(struct follow_convert *x, const struct symex_event *e, bool expired,
		 struct err *err);

#endif
