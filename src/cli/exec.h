/*
 * What check, run and replay share: options that say how a program is executed, and the program,
 * engine and guest made from them.
 */
#ifndef HEDDLE_CLI_EXEC_H
#define HEDDLE_CLI_EXEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/options.h"
#include "run/engine.h"
#include "run/fence.h"

/* Values of the shared options.  Start with CLI_EXEC_OPTS_INIT. */
struct cli_exec_opts {
	int strategy, model, engine;
	const char *seed;
	uint64_t depth, preemptions, delays;
	uint64_t max_steps, hang_ns;
	const char *stdin_path;
	bool exit_code, quiet;
};

#define CLI_EXEC_UNSET UINT64_MAX
#define CLI_EXEC_OPTS_INIT                                                                         \
	{                                                                                          \
		.delays = CLI_EXEC_UNSET                                                           \
	}

/* Rows for the option table of a command whose struct `type' has the member exec. */
#define CLI_EXEC_ENGINE(type)                                                                      \
	{0,                                                                                        \
	 "engine",                                                                                 \
	 OPTION_CHOICE,                                                                            \
	 offsetof(type, exec.engine),                                                              \
	 "auto",                                                                                   \
	 0,                                                                                        \
	 0,                                                                                        \
	 "auto|reset|fork|threads",                                                                \
	 "how runs are carried: in one process, by fork, by threads"},                             \
		{0,                                                                                \
		 "hang-limit",                                                                     \
		 OPTION_DURATION,                                                                  \
		 offsetof(type, exec.hang_ns),                                                     \
		 "10",                                                                             \
		 0,                                                                                \
		 0,                                                                                \
		 "TIME",                                                                           \
		 "no progress for so long is a hang; 0 waits for ever"},                           \
	{                                                                                          \
		'q', "quiet", OPTION_FLAG, offsetof(type, exec.quiet), NULL, 0, 0, NULL,           \
			"only the result"                                                          \
	}
/* steps: default of --max-steps.  A batch must end some day; a lone run may be a server. */
#define CLI_EXEC_CHOICE(type, steps)                                                               \
	CLI_EXEC_CHOICE_OF(type, steps, "random|pct|rr|dfs", "random")
#define CLI_EXEC_CHOICE_OF(type, steps, strategies, first)                                         \
	{0, "strategy", OPTION_CHOICE, offsetof(type, exec.strategy), first, 0, 0, strategies,     \
	 "how schedules are chosen"},                                                              \
		{0,                                                                                \
		 "seed",                                                                           \
		 OPTION_STRING,                                                                    \
		 offsetof(type, exec.seed),                                                        \
		 "1",                                                                              \
		 0,                                                                                \
		 0,                                                                                \
		 "N|random",                                                                       \
		 "seed of the first run; run i uses seed + i"},                                    \
		{0, "model",	  OPTION_CHOICE, offsetof(type, exec.model), "sc", 0,              \
		 0, "sc|tso|pso", "memory model"},                                                 \
		{0, "depth", OPTION_UINT, offsetof(type, exec.depth),	      "3",                 \
		 1, 100,     "N",	  "pct: depth of the bugs looked for"},                    \
		{0,                                                                                \
		 "max-steps",                                                                      \
		 OPTION_UINT,                                                                      \
		 offsetof(type, exec.max_steps),                                                   \
		 steps,                                                                            \
		 0,                                                                                \
		 UINT64_C(1000000000000),                                                          \
		 "N",                                                                              \
		 "end a run after so many scheduling steps; 0: no limit"},                         \
		{0, "stdin", OPTION_STRING, offsetof(type, exec.stdin_path), NULL,                 \
		 0, 0,	     "FILE",	    "standard input of the program"},                      \
	{                                                                                          \
		0, "exit-code", OPTION_FLAG, offsetof(type, exec.exit_code), NULL, 0, 0, NULL,     \
			"a non-zero exit status of the program is a failure"                       \
	}

/* One program made ready to be run under control. */
struct cli_exec {
	const char *command;
	bool quiet;
	struct run_program program;
	struct run_engine engine;
	struct run_guest_opts guest;
	struct wire_job job; /* engine, strategy, model, seed, bound, max_steps, flags */
	int in_fd;
	struct run_fence_cache fence_cache; /* see cli/weak.h */
	uint64_t fence_ns;		    /* spent there */
};

/*
 * Looks up and checks the program words[0] (words ends with NULL) and prepares everything.  With
 * capture its output is kept and its input is FILE or nothing; else both pass through.
 */
int cli_exec_begin(struct cli_exec *x, const char *command, const struct cli_exec_opts *o,
		   char *const *words, bool capture, struct err *e);
void cli_exec_end(struct cli_exec *x);

/* Non-zero once the user has interrupted; cli_exec_begin() installs the handler. */
extern volatile sig_atomic_t cli_exec_stop;

/* Fills guest options and handler without a program, for replay. */
int cli_exec_prepare(struct cli_exec *x, const char *command, const struct cli_exec_opts *o,
		     bool capture, struct err *e);

#endif
