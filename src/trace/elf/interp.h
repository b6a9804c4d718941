/* The dynamic linker that a program names. */
#ifndef HEDDLE_TRACE_ELF_INTERP_H
#define HEDDLE_TRACE_ELF_INTERP_H

#include <stddef.h>

#include "base/err.h"

/* Its path, to be freed; ERR_NOT_FOUND when the file names none. */
int trace_elf_interp_get(const char *path, char **interp, struct err *e);

/*
 * Puts another in the same place of the file, which leaves everything else where it is.  ERR_LIMIT
 * when it is longer than the old one.
 */
int trace_elf_interp_set(const char *path, const char *interp, struct err *e);

#endif
