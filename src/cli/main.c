/* The heddle program: finds the command in a table and runs it. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/log.h"
#include "base/mem.h"
#include "cli/commands.h"
#include "cli/exit.h"
#include "cli/version.h"
#include "wire/ctl.h"

extern char **environ;

static int run_cc(int argc, char **argv);
static int run_cxx(int argc, char **argv);

struct cli_command {
	const char *name;
	const char *summary;
	int (*run)(int argc, char **argv);
};

static const struct cli_command commands[] = {
	{"cc", "compile and link C for use with heddle (arguments as for clang)", run_cc},
	{"c++", "the same for C++", run_cxx},
	{"check", "run a program under many schedules and report what fails", cmd_check_run},
	{"run", "run a program once under control and keep a recording", cmd_run_run},
	{"replay", "run a recorded execution again, event by event", cmd_replay_run},
	{"info", "show what is in a recording", cmd_info_run},
	{"predict", "find races, deadlocks and atomicity violations in one execution",
	 cmd_predict_run},
	{"stable", "run a program under one schedule, the same every time", cmd_stable_run},
};

#define COMMAND_COUNT (sizeof(commands) / sizeof(commands[0]))

/* Variables heddle itself, its compiler wrapper or its guest library know. */
static const char *const known_variables[] = {
	"HEDDLE_LOG",	WIRE_CTL_ENV,	 "HEDDLE_CC",  "HEDDLE_CXX",
	"HEDDLE_CLANG", "HEDDLE_FLAVOR", "HEDDLE_LIB",
};

static int exec_wrapper(const char *name, char **argv)
{
	char *dir = fs_self_dir();
	char *path = fs_join(dir, name);

	argv[0] = path;
	execv(path, argv);
	fprintf(stderr, "heddle: cannot start %s: %s\n", path, strerror(errno));
	free(path);
	free(dir);
	return CLI_FAILURE;
}

static int run_cc(int argc, char **argv)
{
	return exec_wrapper("heddle-cc", argv);
}

static int run_cxx(int argc, char **argv)
{
	return exec_wrapper("heddle-c++", argv);
}

static const struct cli_command *find_command(const char *name)
{
	for (size_t i = 0; i < COMMAND_COUNT; i++)
		if (strcmp(commands[i].name, name) == 0)
			return &commands[i];
	return NULL;
}

static int unknown_command(const char *name)
{
	fprintf(stderr, "heddle: unknown command '%s' (see heddle --help)\n", name);
	return CLI_USAGE;
}

static void print_help(void)
{
	printf("usage: heddle COMMAND [options] ...\n\n"
	       "Finds, reproduces and explains concurrency bugs in C and C++ programs with "
	       "threads.\n\n"
	       "commands:\n");
	for (size_t i = 0; i < COMMAND_COUNT; i++)
		printf("  %-8s  %s\n", commands[i].name, commands[i].summary);
	printf("\nfirst steps:\n"
	       "  heddle cc -g -o prog prog.c -pthread\n"
	       "  heddle check ./prog\n"
	       "  heddle help check\n\n"
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

static int help_command(int argc, char **argv)
{
	char flag[] = "--help";
	char *words[3] = {NULL, flag, NULL};
	const struct cli_command *c;

	if (argc < 2) {
		print_help();
		return CLI_CLEAN;
	}
	c = find_command(argv[1]);
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

/* A misspelt variable would otherwise be ignored in silence. */
static void warn_unknown_variables(void)
{
	for (char **entry = environ; *entry; entry++) {
		size_t length = strcspn(*entry, "=");

		/* The settings of heddle stable are checked by its runtime. */
		if (strncmp(*entry, "HEDDLE_STABLE_", 14) == 0)
			continue;
		if (strncmp(*entry, "HEDDLE_", 7) == 0 && !is_known_variable(*entry, length))
			fprintf(stderr, "heddle: warning: unknown environment variable %.*s\n",
				(int)length, *entry);
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
	if (c->run != run_cc && c->run != run_cxx) {
		warn_unknown_variables();
		if (configure_log() != 0)
			return CLI_USAGE;
	}
	return c->run(argc, argv);
}

int main(int argc, char **argv)
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
	c = find_command(argv[1]);
	if (!c)
		return unknown_command(argv[1]);
	return run_command(c, argc - 1, argv + 1);
}
