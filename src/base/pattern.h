/*
 * The patterns of suppressions: looked for anywhere in a text; "*" stands for any text, "^" and "$"
 * tie the pattern to the ends.
 */
#ifndef HEDDLE_BASE_PATTERN_H
#define HEDDLE_BASE_PATTERN_H

#include <stdbool.h>

bool pattern_match(const char *pattern, const char *text);

#endif
