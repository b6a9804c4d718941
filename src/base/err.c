#include "base/err.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void fill(struct err *e, int code, const char *format, va_list args)
{
	e->code = code;
	vsnprintf(e->text, sizeof(e->text), format, args);
}

int err_set(struct err *e, int code, const char *format, ...)
{
	va_list args;

	if (!e)
		return code;
	va_start(args, format);
	fill(e, code, format, args);
	va_end(args);
	return code;
}

int err_errno(struct err *e, int code, const char *format, ...)
{
	int number = errno;
	va_list args;
	size_t used;

	if (!e)
		return code;
	va_start(args, format);
	fill(e, code, format, args);
	va_end(args);
	used = strlen(e->text);
	snprintf(e->text + used, sizeof(e->text) - used, ": %s", strerror(number));
	return code;
}

int err_wrap(struct err *e, const char *format, ...)
{
	char context[sizeof(e->text)];
	va_list args;
	size_t used, rest;

	if (!e)
		return ERR_INTERNAL;
	va_start(args, format);
	vsnprintf(context, sizeof(context) - 2, format, args);
	va_end(args);
	used = strlen(context);
	memcpy(context + used, ": ", 3);
	used += 2;

	/* The context wins when both do not fit: the innermost words are the ones cut off. */
	rest = strlen(e->text);
	if (rest > sizeof(e->text) - 1 - used)
		rest = sizeof(e->text) - 1 - used;
	memmove(e->text + used, e->text, rest);
	memcpy(e->text, context, used);
	e->text[used + rest] = '\0';
	return e->code;
}

const char *err_name(int code)
{
	switch (code) {
	case 0:
		return "success";
#define X(name, number, text)                                                                      \
	case -number:                                                                              \
		return text;
#include "base/errors.def"
#undef X
	default:
		return "unknown error";
	}
}
