/*
 * heddle.conf: the options of a project, by command.
 *
 *	# comment
 *	[check]
 *	time = 20
 *	each-test = yes
 *
 * The file is the first of that name in the current directory or one above it.  The command line
 *wins over it, it wins over the defaults.  A file that somebody else could have put there (of
 *another owner than the user and root, or writable by others) is not read.
 */
#ifndef HEDDLE_CLI_CONF_H
#define HEDDLE_CLI_CONF_H

#include "base/err.h"
#include "base/vec.h"

#define CLI_CONF_NAME "heddle.conf"
#define CLI_CONF_ENV "HEDDLE_CONF" /* another file; "none": no file */

struct cli_conf_entry {
	char *command, *name, *value;
	unsigned line;
};

struct cli_conf {
	char *path; /* NULL: there is no file */
	VEC(struct cli_conf_entry) entries;
};

/*
 * The file of this run: `given' (may be NULL), the variable's, or the nearest.  Read once per path
 * and kept to the end of the process.  ERR_USAGE, with the line, when it makes no sense, ERR_IO
 * when a file that was asked for cannot be read; *e says nothing when there is none.
 */
int cli_conf_get(const char *given, const struct cli_conf **out, struct err *e);

/* From text; for tests.  Free with cli_conf_fini(). */
int cli_conf_parse(struct cli_conf *c, const char *path, char *text, struct err *e);
void cli_conf_fini(struct cli_conf *c);

#endif
