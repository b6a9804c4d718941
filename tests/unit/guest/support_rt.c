#include "support_rt.h"

#include <stdlib.h>

struct rt_thread support_thread;
struct rt_thread *rt_current = &support_thread;
struct wire_ctl *rt_ctl;
int rt_inside;
jmp_buf support_escape;
enum wire_failure_kind support_failure;

_Noreturn void rt_fail(enum wire_failure_kind kind, uint32_t site, uint64_t addr, uint64_t value,
		       const char *format, ...)
{
	support_failure = kind;
	longjmp(support_escape, 1);
}

void rt_irreversible(const char *format, ...)
{
	abort();
}

_Noreturn void rt_trouble(const char *format, ...)
{
	abort();
}

void rt_unseen(uint32_t site, const char *format, ...)
{
	abort();
}
