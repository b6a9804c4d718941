/* Stack switching, see fiber.S. */
#ifndef HEDDLE_RT_ENGINE_FIBER_H
#define HEDDLE_RT_ENGINE_FIBER_H

#include <stdint.h>

/* Suspends the caller into *save_sp and resumes to_sp with thread pointer to_fs. */
void fiber_switch(uint64_t *save_sp, uint64_t to_sp, uint64_t to_fs);
/* Drops the caller's frames and calls function on the stack ending at sp; never returns. */
_Noreturn void fiber_call(uint64_t sp, void (*function)(void));
/* The caller's floating-point environment in one word, and how to take it over. */
uint64_t fiber_floats(void);
void fiber_take_floats(uint64_t floats);
/*
 * Prepares a stack ending at sp (16-byte aligned) so that resuming it calls function, with the
 * caller's floating-point environment, as a new thread inherits its creator's.
 */
uint64_t fiber_prepare(uint64_t sp, void (*function)(void));
/*
 * What to pass as to_fs: fs itself when the processor lets user code set it; otherwise sets it by
 * system call and returns 0.
 */
uint64_t fiber_thread_pointer(uint64_t fs);
void fiber_init(void);

#endif
