/* What the malloc family knows about blocks from before control began. */
#ifndef HEDDLE_RT_HOOK_MALLOC_H
#define HEDDLE_RT_HOOK_MALLOC_H

#include <stdint.h>

/* The C library's own heap when control began. */
extern uint64_t malloc_early_begin, malloc_early_end;

#endif
