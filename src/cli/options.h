/*
 * Command line options from a table.
 *
 * A command describes its options once; parsing, defaults, range checks and the help text all come
 * from that table.  Values are stored in a struct of the command at the offset the table names.
 * Parsing stops at the first word that is not an option (the program under control and its own
 * arguments follow) or after "--".  Every command also has --help, --log and --config.  Between the
 * defaults and the command line stand the lines of heddle.conf (cli/conf.h).
 */
#ifndef HEDDLE_CLI_OPTIONS_H
#define HEDDLE_CLI_OPTIONS_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/strbuf.h"

enum cli_option_type {
	OPTION_FLAG,	 /* bool; no value */
	OPTION_UINT,	 /* uint64_t, decimal or 0x…, in [min, max] */
	OPTION_DURATION, /* uint64_t nanoseconds; "10", "1.5s", "200ms", "5m", "2h" */
	OPTION_STRING,	 /* const char *, borrowed from argv or the table */
	OPTION_CHOICE,	 /* int: index of the word in `arg', which lists them as "a|b|c" */
};

struct cli_option {
	char letter;	  /* 0 when there is none */
	const char *name; /* long name; NULL ends the table */
	enum cli_option_type type;
	size_t offset;	      /* of the value in the command's struct */
	const char *fallback; /* default as the user would write it; NULL leaves zero or NULL */
	uint64_t min, max;    /* UINT and DURATION (in ns); both 0: no limit */
	const char *arg; /* what stands for the value in the help text; the words of a CHOICE */
	const char *help;
};

struct cli_options {
	const char *command;  /* "check" */
	const char *operands; /* "PROGRAM [ARGUMENT...]" */
	const char *about;    /* one paragraph */
	const struct cli_option *table;
};

/* cli_options_parse() handed back instead of 0 when --help was asked for. */
#define CLI_OPTIONS_HELP 1

/*
 * Fills *into with defaults and then with what argv (argv[0] is the command itself) says.  *rest is
 * the index of the first word that is not an option.  Returns 0, CLI_OPTIONS_HELP or ERR_USAGE.
 */
int cli_options_parse(const struct cli_options *o, void *into, int argc, char **argv, int *rest,
		      struct err *e);

/*
 * Calls of cli_options_parse() hand their table to the visitor instead, and answer CLI_OPTIONS_HELP; nothing
 * is printed for it.  So whoever runs a command with a visitor learns its options.
 */
typedef void (*cli_options_visitor_fn)(const struct cli_options *o, void *arg);
void cli_options_visit(cli_options_visitor_fn visitor, void *arg);
/* Is there a visitor? */
int cli_options_visited(void);

/* The option called name, of the command or of all; NULL when there is none. */
const struct cli_option *cli_options_find(const struct cli_options *o, const char *name);
/* Those that every command has; ends with a NULL name. */
extern const struct cli_option cli_options_common[];

/* The text of --help. */
void cli_options_help(const struct cli_options *o, struct strbuf *to);

/* Parses one number or duration as the table types do; for values with words of their own. */
int cli_options_uint(const char *text, uint64_t *value, struct err *e);
int cli_options_duration(const char *text, uint64_t *ns, struct err *e);

#endif
