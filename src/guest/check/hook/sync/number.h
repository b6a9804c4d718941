/* System calls by number that have a function of their own: they go the same way. */
#ifndef HEDDLE_RT_HOOK_NUMBER_H
#define HEDDLE_RT_HOOK_NUMBER_H

#include "guest/check/rt.h"

/* False when the number is none of those; otherwise *result and errno are as syscall() leaves them.
 */
bool number_call(long number, const long a[6], long *result);

#endif
