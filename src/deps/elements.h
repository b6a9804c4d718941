/*
 * The shared elements of a program (instr/element.h): what is written at all, and accessed in code
 * that a thread other than the first may run.  Whose address is taken may be such a thread's
 * function.
 */
#ifndef HEDDLE_DEPS_ELEMENTS_H
#define HEDDLE_DEPS_ELEMENTS_H

#include "base/err.h"
#include "base/strbuf.h"

/* Appends the table of a binary with bitcode, whatever its flavour (wire/coop.h). */
int deps_elements(const char *path, struct strbuf *out, struct err *e);

/*
 * The same with stretches of code (instr/element.h) in which shared elements are accessed, instead
 * of these.
 */
int deps_blocks(const char *path, struct strbuf *out, struct err *e);

#endif
