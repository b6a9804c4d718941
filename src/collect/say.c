#include "collect/say.h"

#include <stdarg.h>
#include <stdio.h>

void collect_say(const char *format, ...)
{
	char text[1200];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	fprintf(stderr, "heddle-collectd: %s\n", text);
}
