#include "rt/engine/fiber.h"

#include <asm/prctl.h>
#include <sys/auxv.h>
#include <sys/syscall.h>

#include "rt/os/sys.h"

#define HWCAP2_FSGSBASE 2

void fiber_first(void);

static int have_wrfsbase;

struct first_frame {
	uint32_t mxcsr, fpu_control;
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

uint64_t fiber_prepare(uint64_t sp, void (*function)(void))
{
	struct first_frame *f = (struct first_frame *)sp - 1;

	*f = (struct first_frame){
		.mxcsr = 0x1f80, /* the defaults of the ABI at process start */
		.fpu_control = 0x037f,
		.r12 = (uint64_t)function,
		.start = fiber_first,
	};
	return (uint64_t)f;
}
