/* What to say about a replay that went another way than its recording. */
#ifndef HEDDLE_CLI_DIFFERENCE_H
#define HEDDLE_CLI_DIFFERENCE_H

#include "base/strbuf.h"
#include "run/guest/compare.h"

/* Several lines: where it happened, what the recording has there, what the replay did. */
void cli_difference_print(const struct trace_bundle *recorded, const struct run_result *replayed,
			  const struct run_difference *d, struct strbuf *to);

#endif
