/* Descriptors that need more than the kernel's answer. */
#ifndef HEDDLE_RT_HOOK_KERNEL_H
#define HEDDLE_RT_HOOK_KERNEL_H

#include <stdbool.h>

/* Whether the program opened the kernel's random source under this descriptor. */
bool kernel_is_random(int fd);

#endif
