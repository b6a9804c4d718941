/*
 * flockfile and friends: a recursive lock per stream, in the model.  The C library's own lock of
 * the stream is not taken: printf and the like are atomic steps here and would find it free anyway.
 */
#include <stdio.h>

#include "guest/check/hook/sync/mutex.h"
#include "guest/os/real.h"

RT_EXPORT void flockfile(FILE *f)
{
	if (!rt_controlled()) {
		REAL(flockfile)(f);
		return;
	}
	mutex_declare_recursive(f);
	mutex_lock(f, NULL);
}

RT_EXPORT int ftrylockfile(FILE *f)
{
	if (!rt_controlled())
		return REAL(ftrylockfile)(f);
	mutex_declare_recursive(f);
	return mutex_trylock(f);
}

RT_EXPORT void funlockfile(FILE *f)
{
	if (!rt_controlled()) {
		REAL(funlockfile)(f);
		return;
	}
	mutex_declare_recursive(f);
	mutex_unlock(f);
}
