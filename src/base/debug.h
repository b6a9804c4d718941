/*
 * Which files of debug information are the user's.  What is inlined from a system header belongs to
 * the place that asked for it, in sites and in recorded failures alike.
 */
#ifndef HEDDLE_BASE_DEBUG_H
#define HEDDLE_BASE_DEBUG_H

#include <stdbool.h>
#include <stddef.h>

/* True when the file belongs to the system's headers, or to ours that stand in for them. */
bool debug_is_system_file(const char *file, size_t bytes);

#endif
