/* Which part of a program heddle check looks at: one of its tests, one of several shares. */
#ifndef HEDDLE_CLI_CHECK_SELECT_H
#define HEDDLE_CLI_CHECK_SELECT_H

#include <stdbool.h>
#include <stdint.h>

#include "cli/check/tests.h"
#include "cli/options.h"

struct cli_selection_opts {
	bool each_test, list_tests;
	const char *test, *shard;
};

/* Rows of the option table; at is the offset of the struct above. */
#define CLI_SELECTION_OPTIONS(at)                                                                  \
	{0,                                                                                        \
	 "each-test",                                                                              \
	 OPTION_FLAG,                                                                              \
	 (at) + offsetof(struct cli_selection_opts, each_test),                                    \
	 NULL,                                                                                     \
	 0,                                                                                        \
	 0,                                                                                        \
	 NULL,                                                                                     \
	 "check every test of a GoogleTest or Catch2 program by itself, --jobs at the same time"}, \
		{0,                                                                                \
		 "test",                                                                           \
		 OPTION_STRING,                                                                    \
		 (at) + offsetof(struct cli_selection_opts, test),                                 \
		 NULL,                                                                             \
		 0,                                                                                \
		 0,                                                                                \
		 "NAME",                                                                           \
		 "check one of them"},                                                             \
		{0,                                                                                \
		 "list-tests",                                                                     \
		 OPTION_FLAG,                                                                      \
		 (at) + offsetof(struct cli_selection_opts, list_tests),                           \
		 NULL,                                                                             \
		 0,                                                                                \
		 0,                                                                                \
		 NULL,                                                                             \
		 "print their names, one per line"},                                               \
	{                                                                                          \
		0, "shard", OPTION_STRING, (at) + offsetof(struct cli_selection_opts, shard),      \
			NULL, 0, 0, "I/N",                                                         \
			"the I-th of N shares of the tests, or of the schedules that are drawn"    \
	}

struct cli_selection {
	char **words; /* the program and its arguments, for this test */
	const char *test;
	char *stem; /* for names of bundles */
	uint64_t shard, shards;
};

/* words: as the user gave them.  ERR_USAGE when there is no such test or share. */
int cli_selection_begin(struct cli_selection *s, const struct cli_selection_opts *o, char **words,
			struct err *e);
void cli_selection_fini(struct cli_selection *s);

bool cli_selection_is_test(const struct cli_selection_opts *o);

/* "I/N" as numbers, 1 <= I <= N; 1/1 when it is not given. */
int cli_selection_shard(const struct cli_selection_opts *o, uint64_t *shard, uint64_t *shards,
			struct err *e);

/* This share of `all' things in a row: the first of them and how many. */
void cli_selection_share(const struct cli_selection *s, uint64_t all, uint64_t *first,
			 uint64_t *count);

/* What names the check in reports, and its bundles: the test's name, or the program's. */
const char *cli_selection_name(const struct cli_selection *s, const char *program);
const char *cli_selection_stem(struct cli_selection *s, const char *program);

/* --list-tests; the exit code. */
int cli_selection_list(char **words);

#endif
