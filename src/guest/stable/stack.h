/* Where a wrapper was called from: return addresses of the program's frames, innermost first. */
#ifndef HEDDLE_RT_STABLE_STACK_H
#define HEDDLE_RT_STABLE_STACK_H

#include <stdint.h>

/* Loads the unwinder while loading is still possible. */
void stack_init(void);

/*
 * Fills pc with at most limit frames, starting with the frame that returns to caller; returns how
 * many, at least 1.
 */
uint32_t stack_capture(uintptr_t caller, uint64_t *pc, uint32_t limit);

/* Lists the loaded modules in the control block, so that the host can name addresses. */
void stack_list_modules(void);

/* Index of the module of pc in the control block (listed again when needed), -1 when none. */
int stack_module_of(uint64_t pc);

#endif
