#include "cli/exit.h"

#include <stdio.h>

int cli_exit_error(const char *command, const struct err *e)
{
	fflush(stdout);
	fprintf(stderr, "heddle %s: %s\n", command, e->text);
	return e->code == ERR_USAGE ? CLI_USAGE : CLI_FAILURE;
}

int cli_exit_options(const struct cli_options *o, int rc, const struct err *e)
{
	struct strbuf text = STRBUF_INIT;

	if (rc != CLI_OPTIONS_HELP)
		return cli_exit_error(o->command, e);
	if (cli_options_visited())
		return CLI_CLEAN;
	cli_options_help(o, &text);
	fputs(text.text, stdout);
	strbuf_free(&text);
	return CLI_CLEAN;
}
