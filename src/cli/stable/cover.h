/* heddle stable memo cover. */
#ifndef HEDDLE_CLI_STABLE_COVER_H
#define HEDDLE_CLI_STABLE_COVER_H

#include "memo/cache.h"

/*
 * Prints for how many inputs the cache has a schedule that is not bad.  rest: the program's name
 * and its arguments, each a text or a range LOW..HIGH; ends with NULL.  The exit code: CLI_FINDINGS
 * when some input has none, CLI_INCONCLUSIVE when none was met that has none but not all were
 * looked at; negative: an error.
 */
int cover_print(struct memo_cache *c, char **rest, struct err *e);

#endif
