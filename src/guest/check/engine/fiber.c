#include "guest/check/engine/fiber.h"

#include <asm/prctl.h>
#include <sys/auxv.h>
#include <sys/syscall.h>

#include "guest/os/sys.h"

#define HWCAP2_FSGSBASE 2

void fiber_first(void);

static int have_wrfsbase;

struct first_frame {
	uint64_t floats;
	uint64_t r15, r14, r13, r12, rbx, rbp;
	void (*start)(void);
	uint64_t spare[2]; /* keeps the first call aligned */
};

void fiber_init(void)
{
	have_wrfsbase = (getauxval(AT_HWCAP2) & HWCAP2_FSGSBASE) != 0;
}

uint64_t fiber_thread_pointer(uint64_t fs)
{
	if (have_wrfsbase)
		return fs;
	sys_call(SYS_arch_prctl, ARCH_SET_FS, (long)fs, 0, 0, 0, 0);
	return 0;
}

/* Control and flags of SSE, control word and status of the x87, in the order of fiber_switch. */
uint64_t fiber_floats(void)
{
	uint32_t sse;
	uint16_t control, status;

	__asm__ volatile("stmxcsr %0\n\tfnstcw %1\n\tfnstsw %2"
			 : "=m"(sse), "=m"(control), "=m"(status));
	return sse | (uint64_t)control << 32 | (uint64_t)status << 48;
}

/* Flags of the x87 stay as they are. */
void fiber_take_floats(uint64_t floats)
{
	uint32_t sse = (uint32_t)floats;
	uint16_t control = (uint16_t)(floats >> 32);

	__asm__ volatile("ldmxcsr %0\n\tfldcw %1" : : "m"(sse), "m"(control));
}

uint64_t fiber_prepare(uint64_t sp, void (*function)(void))
{
	struct first_frame *f = (struct first_frame *)sp - 1;

	*f = (struct first_frame){
		.floats = fiber_floats(),
		.r12 = (uint64_t)function,
		.start = fiber_first,
	};
	return (uint64_t)f;
}
