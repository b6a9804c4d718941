/* A wrapper of a call that may wait for the world: decide says whether the thread leaves for it. */
#ifndef HEDDLE_STABLE_AROUND_H
#define HEDDLE_STABLE_AROUND_H

#include "guest/stable/hook/hook.h"
#include "guest/stable/hook/outside.h"
#include "guest/stable/real.h"

#define AROUND(result, name, parameters, arguments, decide)                                        \
	HOOK_EXPORT result name parameters                                                         \
	{                                                                                          \
		real_ready();                                                                      \
		decide;                                                                            \
		result answer = real.name arguments;                                               \
		outside_return();                                                                  \
		return answer;                                                                     \
	}

#endif
