/*
 * A tiny formatter: %s %c %d %u %x %lx %lu %ld %zu %p %%, and a width for %x is ignored.  It
 * allocates nothing and touches no locale; output is cut at the buffer's end, always terminated.
 */
#ifndef HEDDLE_RT_OS_FMT_H
#define HEDDLE_RT_OS_FMT_H

#include <stdarg.h>
#include <stddef.h>

size_t fmt_text(char *to, size_t bytes, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
size_t fmt_vtext(char *to, size_t bytes, const char *format, va_list args)
	__attribute__((format(printf, 3, 0)));

#endif
