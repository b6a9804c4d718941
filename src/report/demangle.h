/*
 * C++ names as their authors wrote them, for the simple cases that name variables and functions:
 * plain, static and nested names without templates.  Anything else is left as it is, which is
 * never wrong, only long.
 */
#ifndef HEDDLE_REPORT_DEMANGLE_H
#define HEDDLE_REPORT_DEMANGLE_H

#include "base/strbuf.h"

/* Appends the name, demangled when possible. */
void report_demangle(const char *name, struct strbuf *to);

#endif
