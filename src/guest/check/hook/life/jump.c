/*
 * Jumps.  They may leave signal handlers behind, whose masks and frames the runtime keeps; all its
 * other state lies with the thread, not with its frames.
 */
#include <setjmp.h>

#include "guest/check/hook/system/signals.h"
#include "guest/os/real.h"

#define JUMP_SP 6 /* where the C library keeps the stack pointer */

/* The C library hides the stack pointer: xor with a secret of the thread, then a rotation. */
static uint64_t stack_pointer(const struct __jmp_buf_tag *env)
{
	uint64_t hidden = (uint64_t)env->__jmpbuf[JUMP_SP], secret;

	__asm__("mov %%fs:0x30, %0" : "=r"(secret));
	return (hidden >> 17 | hidden << 47) ^ secret;
}

static void before_jump(const struct __jmp_buf_tag *env)
{
	signals_jump(stack_pointer(env), env->__mask_was_saved != 0);
}

#define JUMP(name)                                                                                 \
	RT_EXPORT void name(struct __jmp_buf_tag env[1], int value)                                \
	{                                                                                          \
		if (rt_controlled())                                                               \
			before_jump(env);                                                          \
		REAL(name)(env, value);                                                            \
		__builtin_unreachable();                                                           \
	}

JUMP(longjmp)
JUMP(_longjmp)
JUMP(siglongjmp)
JUMP(__longjmp_chk)
