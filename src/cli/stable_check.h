/* heddle check --stable: all schedules that heddle stable can give, of any program with threads. */
#ifndef HEDDLE_CLI_STABLE_CHECK_H
#define HEDDLE_CLI_STABLE_CHECK_H

#include "cli/exec.h"
#include "cli/options.h"

struct cli_stable_opts {
	bool on, whole;
	int pcs_exit;
};

/* Rows of the option table; at is the offset of the struct above. */
#define CLI_STABLE_OPTIONS(at)                                                                     \
	{0,                                                                                        \
	 "stable",                                                                                 \
	 OPTION_FLAG,                                                                              \
	 (at) + offsetof(struct cli_stable_opts, on),                                              \
	 NULL,                                                                                     \
	 0,                                                                                        \
	 0,                                                                                        \
	 NULL,                                                                                     \
	 "only the schedules that heddle stable can give; any program with threads"},              \
		{0,                                                                                \
		 "pcs-exit",                                                                       \
		 OPTION_CHOICE,                                                                    \
		 (at) + offsetof(struct cli_stable_opts, pcs_exit),                                \
		 "nondet",                                                                         \
		 0,                                                                                \
		 0,                                                                                \
		 "nondet|det",                                                                     \
		 "stable: how performance-critical sections are left"},                            \
		{0,                                                                                \
		 "no-reduction",                                                                   \
		 OPTION_FLAG,                                                                      \
		 (at) + offsetof(struct cli_stable_opts, whole),                                   \
		 NULL,                                                                             \
		 0,                                                                                \
		 0,                                                                                \
		 NULL,                                                                             \
		 "stable: run every order, also of operations that do not depend on "              \
		 "each other"}

/* What the other options of heddle check say about it. */
struct cli_stable_how {
	const struct cli_stable_opts *opts;
	const struct cli_exec_opts *exec;
	const char *out;
	uint64_t executions; /* at most; 0: no limit */
	bool keep_going, json, stats;
};

/* words: the program and its arguments, ends with NULL; the exit code. */
int cli_stable_check(const struct cli_stable_how *how, char **words);

/* Where the runtime is; the caller frees it. */
int cli_stable_library(char **library, struct err *e);

/* Whether dir is a recording made by it. */
bool cli_stable_is_record(const char *dir);
/* heddle replay of one, so many times; the exit code. */
int cli_stable_replay(const char *dir, const struct cli_exec_opts *o, uint64_t times);

#endif
