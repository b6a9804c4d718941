/* What the kernel says about this process; raw system calls only. */
#ifndef HEDDLE_RT_OS_STAT_H
#define HEDDLE_RT_OS_STAT_H

#include <stdint.h>

/* Kernel threads of the process. */
uint64_t stat_threads(void);
/* Where the heap of the C library (brk) begins. */
uint64_t stat_heap_begin(void);

#endif
