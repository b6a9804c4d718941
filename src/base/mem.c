#include "base/mem.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Noreturn void out_of_memory(size_t bytes)
{
	fprintf(stderr, "heddle: out of memory (%zu bytes wanted)\n", bytes);
	abort();
}

void *xmalloc(size_t bytes)
{
	void *p = malloc(bytes ? bytes : 1);

	if (!p)
		out_of_memory(bytes);
	return p;
}

void *xcalloc(size_t count, size_t bytes)
{
	void *p = calloc(count ? count : 1, bytes ? bytes : 1);

	if (!p)
		out_of_memory(bytes);
	return p;
}

void *xrealloc(void *old, size_t count, size_t bytes)
{
	size_t total;
	void *p;

	if (__builtin_mul_overflow(count, bytes, &total))
		out_of_memory(SIZE_MAX);
	p = realloc(old, total ? total : 1);
	if (!p)
		out_of_memory(total);
	return p;
}

char *xstrdup(const char *text)
{
	return xstrndup(text, strlen(text));
}

char *xstrndup(const char *text, size_t bytes)
{
	size_t n = strnlen(text, bytes);
	char *p = xmalloc(n + 1);

	memcpy(p, text, n);
	p[n] = '\0';
	return p;
}

char *xasprintf(const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	text = xvasprintf(format, args);
	va_end(args);
	return text;
}

char *xvasprintf(const char *format, va_list args)
{
	char *text;

	if (vasprintf(&text, format, args) < 0)
		out_of_memory(0);
	return text;
}
