#include "rt/os/real.h"

#include <stddef.h>

#define X(name) __typeof__(&name) real_##name;
#include "rt/os/real.def"
#undef X

static int resolved;

void real_init(void)
{
	if (__atomic_load_n(&resolved, __ATOMIC_ACQUIRE))
		return;
		/* Two threads of a process without heddle may both come here; they store the same
		 * values. */
#define X(name) real_##name = (__typeof__(&name))dlsym(RTLD_NEXT, #name);
#include "rt/os/real.def"
#undef X
	__atomic_store_n(&resolved, 1, __ATOMIC_RELEASE);
}

bool real_same_object(const void *a, const void *b)
{
	Dl_info in_a, in_b;

	return dladdr(a, &in_a) && dladdr(b, &in_b) && in_a.dli_fbase == in_b.dli_fbase;
}
