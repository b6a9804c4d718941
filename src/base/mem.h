/* Allocation in host code: never returns NULL, aborts with a message when memory is out. */
#ifndef HEDDLE_BASE_MEM_H
#define HEDDLE_BASE_MEM_H

#include <stdarg.h>
#include <stddef.h>

void *xmalloc(size_t bytes);
void *xcalloc(size_t count, size_t bytes);
/* count * bytes is checked for overflow. */
void *xrealloc(void *old, size_t count, size_t bytes);
char *xstrdup(const char *text);
char *xstrndup(const char *text, size_t bytes);
char *xasprintf(const char *format, ...) __attribute__((format(printf, 1, 2)));
char *xvasprintf(const char *format, va_list args) __attribute__((format(printf, 1, 0)));

#endif
