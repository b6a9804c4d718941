/* Putting a report on a stream: format, colours, width. */
#ifndef HEDDLE_CLI_PRINT_H
#define HEDDLE_CLI_PRINT_H

#include <stdio.h>

#include "base/json_out.h"
#include "cli/finding.h"
#include "report/formats.h"
#include "report/report.h"

/* The format the user asked for: one of formats.def, JSON, or text. */
const struct report_ops *cli_print_format(const bool chosen[REPORT_FORMATS], bool json);

/* The options of the formats in formats.def; the command's has `bool report[REPORT_FORMATS]'. */
#define CLI_FORMAT_OPTION(word, help)                                                              \
	{0, #word, OPTION_FLAG, AT(report[REPORT_##word]), NULL, 0, 0, NULL, help},

/* Begins a report that will go to this stream; colours only on a terminal and without NO_COLOR. */
void cli_print_begin(struct report *r, const struct report_ops *format, FILE *stream);
/* Writes what has gathered and empties it. */
void cli_print_report(struct report *r, FILE *stream);

/* The answer of a command that keeps failures: these, and a text that ends it. */
struct cli_answer {
	const char *command, *text;
	int exit_code;
	uint64_t begin_ns; /* of the command */
};

/* For people: the failures of `kept' are shown before the text. */
void cli_print_answer(const struct cli_answer *a, const struct cli_kept *const *kept, size_t n);
/* Ends the command's JSON object: how long it took, text, exit code. */
void cli_print_json_end(const struct cli_answer *a, struct json_out *j, struct strbuf *to);

#endif
