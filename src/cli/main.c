/* The heddle program: finds the command in a table and runs it. */
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/log.h"
#include "base/mem.h"
#include "cli/commands.h"
#include "cli/conf.h"
#include "cli/exit.h"
#include "cli/near.h"
#include "cli/version.h"
#include "wire/ctl.h"

extern char **environ;

/* Variables heddle itself, its compiler wrapper or its guest library know. */
static const char *const known_variables[] = {
	"HEDDLE_LOG",	WIRE_CTL_ENV,	 "HEDDLE_CC",  "HEDDLE_CXX",
	"HEDDLE_CLANG", "HEDDLE_FLAVOR", "HEDDLE_LIB", CLI_CONF_ENV,
};

static int unknown_command(const char *name)
{
	struct cli_near near = {.to = name};

	for (const struct cli_command *c = cli_commands; c->name; c++)
		cli_near_try(&near, c->name);
	if (near.best)
		fprintf(stderr, "heddle: unknown command '%s'; did you mean '%s'?\n", name, near.best);
	else
		fprintf(stderr, "heddle: unknown command '%s' (see heddle --help)\n", name);
	return CLI_USAGE;
}

static void print_help(void)
{
	printf("usage: heddle COMMAND [options] ...\n\n"
	       "Finds, reproduces and explains concurrency bugs in C and C++ programs with "
	       "threads.\n\n"
	       "commands:\n");
	for (const struct cli_command *c = cli_commands; c->name; c++)
		printf("  %-10s  %s\n", c->name, c->summary);
	printf("\nfirst steps:\n"
	       "  heddle cc -g -o prog prog.c -pthread\n"
	       "  heddle check ./prog\n"
	       "  heddle help check        (or: heddle help --all)\n\n"
	       "exit codes: 0 clean, 1 findings, 2 usage, 3 failure of the tool or its "
	       "environment,\n"
	       "            4 inconclusive\n");
}

static int print_version(void)
{
	printf("heddle %s\nrecording format %d\nengines: reset fork threads\n"
	       "memory models: sc tso pso\n",
	       HEDDLE_VERSION, WIRE_VERSION);
	return CLI_CLEAN;
}

/* The help of every command but the compilers', which is clang's. */
static int help_all(void)
{
	char flag[] = "--help";
	int code = CLI_CLEAN;

	print_help();
	for (const struct cli_command *c = cli_commands; c->name && code == CLI_CLEAN; c++) {
		char *words[3] = {(char *)c->name, flag, NULL};

		if (c->is_compiler)
			continue;
		printf("\n\n");
		code = c->run(2, words);
	}
	return code;
}

static int help_command(int argc, char **argv)
{
	char flag[] = "--help";
	char *words[3] = {NULL, flag, NULL};
	const struct cli_command *c;

	if (argc < 2) {
		print_help();
		return CLI_CLEAN;
	}
	if (strcmp(argv[1], "--all") == 0)
		return help_all();
	c = cli_command_find(argv[1]);
	if (!c)
		return unknown_command(argv[1]);
	words[0] = argv[1];
	return c->run(2, words);
}

static bool is_known_variable(const char *entry, size_t length)
{
	for (size_t i = 0; i < sizeof(known_variables) / sizeof(known_variables[0]); i++)
		if (strlen(known_variables[i]) == length &&
		    strncmp(known_variables[i], entry, length) == 0)
			return true;
	return false;
}

static void unknown_variable(const char *entry, size_t length)
{
	struct cli_near near = {.to = entry, .length = length};

	for (size_t i = 0; i < sizeof(known_variables) / sizeof(known_variables[0]); i++)
		cli_near_try(&near, known_variables[i]);
	/* All have their beginning in common: only what follows it is a likeness. */
	fprintf(stderr, "heddle: warning: unknown environment variable %.*s", (int)length, entry);
	if (near.best && near.distance <= (length - strlen("HEDDLE_") + 2) / 3)
		fprintf(stderr, "; did you mean %s?", near.best);
	fputc('\n', stderr);
}

/* A misspelt variable would otherwise be ignored in silence. */
static void warn_unknown_variables(void)
{
	for (char **entry = environ; *entry; entry++) {
		size_t length = strcspn(*entry, "=");

		/* The settings of heddle stable are checked by its runtime. */
		if (strncmp(*entry, "HEDDLE_STABLE_", 14) == 0)
			continue;
		if (strncmp(*entry, "HEDDLE_", 7) == 0 && !is_known_variable(*entry, length))
			unknown_variable(*entry, length);
	}
}

static int configure_log(void)
{
	const char *levels = getenv("HEDDLE_LOG");

	if (!levels || log_configure(levels) == 0)
		return 0;
	fprintf(stderr, "heddle: HEDDLE_LOG: '%s' is not of the form run:2,trace:1\n", levels);
	return -1;
}

/* Compilers are called thousands of times by build systems: they get neither warning nor check. */
static int run_command(const struct cli_command *c, int argc, char **argv)
{
	if (!c->is_compiler) {
		warn_unknown_variables();
		if (configure_log() != 0)
			return CLI_USAGE;
		/* A reader that goes away and a file too large are errors like a full disk. */
		signal(SIGPIPE, SIG_IGN);
		signal(SIGXFSZ, SIG_IGN);
	}
	return c->run(argc, argv);
}

static int dispatch(int argc, char **argv)
{
	const struct cli_command *c;

	if (argc < 2) {
		fprintf(stderr, "heddle: a command is missing (see heddle --help)\n");
		return CLI_USAGE;
	}
	if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0)
		return print_version();
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
		print_help();
		return CLI_CLEAN;
	}
	if (strcmp(argv[1], "help") == 0)
		return help_command(argc - 1, argv + 1);
	if (argv[1][0] == '-') {
		fprintf(stderr, "heddle: unknown option %s (see heddle --help)\n", argv[1]);
		return CLI_USAGE;
	}
	c = cli_command_find(argv[1]);
	if (!c)
		return unknown_command(argv[1]);
	return run_command(c, argc - 1, argv + 1);
}

/*
 * A result nobody can read is no result: when standard output or standard error took less than was
 * written, the command has failed, whatever it found.
 */
static int finish_outputs(int code)
{
	struct err e = ERR_INIT;
	bool failed = fs_finish_output(stdout, "standard output", &e) != 0 ||
		      fs_finish_output(stderr, "standard error", &e) != 0;

	if (!failed)
		return code;
	fprintf(stderr, "heddle: %s\n", e.text);
	return CLI_FAILURE;
}

int main(int argc, char **argv)
{
	return finish_outputs(dispatch(argc, argv));
}
