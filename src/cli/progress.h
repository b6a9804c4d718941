/* A line on the terminal that says how far a long command is; nothing when stderr is no terminal.
 */
#ifndef HEDDLE_CLI_PROGRESS_H
#define HEDDLE_CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "run/fleet/campaign.h"

struct cli_progress {
	bool on;
	uint64_t goal;	  /* runs, 0: unknown */
	uint64_t next_ns; /* when the line is due again */
	bool shown;
};

void cli_progress_begin(struct cli_progress *p, bool wanted, uint64_t goal);
/* A run_campaign_fn with a struct cli_progress. */
void cli_progress_show(void *arg, const struct run_stats *s);
/* Wipes the line. */
void cli_progress_end(struct cli_progress *p);

#endif
