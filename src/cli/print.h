/* Putting a report on a stream: format, colours, width. */
#ifndef HEDDLE_CLI_PRINT_H
#define HEDDLE_CLI_PRINT_H

#include <stdio.h>

#include "report/report.h"

/* Begins a report that will go to this stream; colours only on a terminal and without NO_COLOR. */
void cli_print_begin(struct report *r, bool json, FILE *stream);
/* Writes what has gathered and empties it. */
void cli_print_report(struct report *r, FILE *stream);

#endif
