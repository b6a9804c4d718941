#include "base/pattern.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* Glob with '*' only; the pattern covers the whole text.  Linear by backing up to the last star. */
static bool glob(const char *pattern, const char *text)
{
	const char *star = NULL, *resume = NULL;

	while (*text != '\0') {
		if (*pattern == '*') {
			star = pattern++;
			resume = text;
		} else if (*pattern == *text) {
			pattern++;
			text++;
		} else if (star != NULL) {
			pattern = star + 1;
			text = ++resume;
		} else {
			return false;
		}
	}
	while (*pattern == '*')
		pattern++;
	return *pattern == '\0';
}

bool pattern_match(const char *pattern, const char *text)
{
	size_t n = strlen(pattern);
	size_t from = n > 0 && pattern[0] == '^' ? 1 : 0;
	size_t to = n > from && pattern[n - 1] == '$' ? n - 1 : n;
	char *whole = xasprintf("%s%.*s%s", from ? "" : "*", (int)(to - from), pattern + from,
				to < n ? "" : "*");
	bool found = glob(whole, text);

	free(whole);
	return found;
}
