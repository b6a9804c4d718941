/* The rules of wire/rules.h in the guest, where a broken one ends the run and says so. */
#ifndef HEDDLE_RT_RULES_H
#define HEDDLE_RT_RULES_H

#include "guest/check/rt.h"

#define RULE_ASSERT(x) RT_ASSERT(x)

#include "wire/rules.h"
#include "wire/rules_store.h"

/* The thread's number as the rules have it. */
#define RULE_WHO(thread) ((uint32_t)(thread)->tid + 1)

#endif
