/*
 * Which calls of the C library leave the caller's stores where they are, by the name a site has for
 * the callee.  The guest and the path executor ask the same rule: where one waits for the store
 * buffer and the other does not, an order that the program has would be called impossible.
 */
#ifndef HEDDLE_WIRE_QUIET_H
#define HEDDLE_WIRE_QUIET_H

#include <stdbool.h>
#include <stddef.h>

/* Whether the name begins with one of these. */
static inline bool wire_call_is_one_of(const char *name, const char *const *words)
{
	for (; *words; words++) {
		size_t i = 0;

		while ((*words)[i] && (*words)[i] == name[i])
			i++;
		if (!(*words)[i])
			return true;
	}
	return false;
}

/* It neither looks at the program's memory nor waits for anybody. */
static inline bool wire_call_reads_nothing(const char *name)
{
	static const char *const names[] = {"malloc",
					    "calloc",
					    "free",
					    "_Znw",
					    "_Zna",
					    "_Zdl",
					    "_Zda",
					    "operator",
					    "heddle_marker_",
					    "pthread_self",
					    "thrd_current",
					    "pthread_getspecific",
					    "tss_get",
					    "sched_yield",
					    "pthread_yield",
					    "thrd_yield",
					    NULL};

	return wire_call_is_one_of(name, names);
}

#endif
