#include "report/demangle.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#define SCOPE "::"

/* <length><text> at *at; the length is checked against what is there. */
static bool take_name(const char **at, struct strbuf *to)
{
	size_t length = 0;

	if (**at == 'L') /* internal linkage */
		(*at)++;
	if (!isdigit((unsigned char)**at))
		return false;
	for (; isdigit((unsigned char)**at); (*at)++) {
		length = length * 10 + (size_t)(**at - '0');
		if (length > 4096)
			return false;
	}
	if (length == 0 || strnlen(*at, length) < length)
		return false;
	/* The compiler's name for a namespace that has none. */
	if (strncmp(*at, "_GLOBAL__N_", 11) == 0)
		strbuf_add(to, "(anonymous)");
	else
		strbuf_add_bytes(to, *at, length);
	*at += length;
	return true;
}

/* N [K] name name ... E, or std:: before a name. */
static bool take_nested(const char **at, struct strbuf *to)
{
	bool first = true;

	(*at)++;
	*at += strspn(*at, "KVr");
	while (**at != 'E') {
		if (!first)
			strbuf_add(to, SCOPE);
		if (first && strncmp(*at, "St", 2) == 0) {
			*at += 2;
			strbuf_add(to, "std");
		} else if (!take_name(at, to)) {
			return false;
		}
		first = false;
	}
	(*at)++;
	return !first;
}

static bool demangle(const char *name, struct strbuf *to)
{
	if (strncmp(name, "_Z", 2) != 0)
		return false;
	name += 2;
	if (*name == 'N')
		return take_nested(&name, to);
	if (strncmp(name, "St", 2) == 0) {
		name += 2;
		strbuf_add(to, "std" SCOPE);
	}
	/* What follows a function's name are its parameters, which are left out. */
	return take_name(&name, to) && *name != 'I' && *name != 'C' && *name != 'D';
}

void report_demangle(const char *name, struct strbuf *to)
{
	struct strbuf plain = STRBUF_INIT;

	strbuf_add(to, demangle(name, &plain) ? plain.text : name);
	strbuf_free(&plain);
}
