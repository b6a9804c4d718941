#include "ir/demangle.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* The C++ runtime's own demangler; LLVM's library needs that runtime anyway. */
extern char *__cxa_demangle(const char *symbol, char *buffer, size_t *bytes, int *status);

/* Cuts the parameter list: the last parenthesis at the outermost level. */
static void cut_parameters(char *text)
{
	char *end = strrchr(text, ')');
	int depth = 0;

	for (char *p = end; p && p > text; p--) {
		depth += (*p == ')') - (*p == '(');
		if (!depth) {
			*p = 0;
			return;
		}
	}
}

char *ir_demangle(const char *symbol)
{
	char *text = NULL, *copy;
	int status = -1;

	if (!strncmp(symbol, "_Z", 2))
		text = __cxa_demangle(symbol, NULL, NULL, &status);
	if (!text || status) {
		free(text);
		return xstrdup(symbol);
	}
	cut_parameters(text);
	copy = xstrdup(text);
	free(text);
	return copy;
}
