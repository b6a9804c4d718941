/*
 * What check, run and replay share: options that say how a program is executed, and the program,
 * engine and guest made from them.
 */
#ifndef HEDDLE_CLI_EXEC_H
#define HEDDLE_CLI_EXEC_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/options.h"
#include "model/memory_model.h"
#include "run/guest/engine.h"
#include "explore/policy/advise.h"

/* Values of the shared options.  Start with CLI_EXEC_OPTS_INIT. */
struct cli_exec_opts {
	int strategy, model, engine, spurious;
	const char *seed;
	uint64_t depth, preemptions, delays;
	uint64_t max_steps, hang_ns;
	uint64_t time_ns; /* for everything the command does; 0: no limit */
	const char *stdin_path;
	const char *trust; /* names of functions, separated by commas */
	const char *env;   /* names of variables that are handed over as they are */
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
/* What becomes of the environment. */
#define CLI_EXEC_ENV(at)                                                                           \
	{0,                                                                                        \
	 "env",                                                                                    \
	 OPTION_STRING,                                                                            \
	 at,                                                                                       \
	 NULL,                                                                                     \
	 0,                                                                                        \
	 0,                                                                                        \
	 "NAME,...|all",                                                                           \
	 "variables to hand over and keep as they are, also secrets; all: every other one"}
/* steps: default of --max-steps.  A batch must end some day; a lone run may be a server. */
#define CLI_EXEC_CHOICE(type, steps) CLI_EXEC_CHOICE_OF(type, steps, "random|pct|rr|dfs", "random")
#define CLI_EXEC_CHOICE_OF(type, steps, strategies, first)                                         \
	{0, "strategy", OPTION_CHOICE, offsetof(type, exec.strategy), first,                       \
	 0, 0,		strategies,    "how schedules are chosen"},                                \
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
		 0, MODEL_MEMORY_CHOICES, "memory model"},                                                 \
		{0,                                                                                \
		 "spurious",                                                                       \
		 OPTION_CHOICE,                                                                    \
		 offsetof(type, exec.spurious),                                                    \
		 "off",                                                                            \
		 0,                                                                                \
		 0,                                                                                \
		 "off|on",                                                                         \
		 "waits may wake up, weak compare and swaps fail, for no reason"},                 \
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
		 0, 0,	     "FILE|-",	    "standard input of the program; - keeps ours"},                      \
		CLI_EXEC_ENV(offsetof(type, exec.env)),                                            \
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
	struct limit limit;		    /* of the command: the guests' and everybody's */
	struct check_advisor advisor;
};

/*
 * Looks up and checks the program words[0] (words ends with NULL) and prepares everything.  With
 * capture its output is kept and its input is FILE or nothing; else both pass through.
 */
int cli_exec_begin(struct cli_exec *x, const char *command, const struct cli_exec_opts *o,
		   char *const *words, bool capture, struct err *e);
void cli_exec_end(struct cli_exec *x);

/* Tells the user, on standard error, which variables of p have stand-ins. */
void cli_exec_say_secrets(const char *command, const struct run_program *p);

/* Non-zero once the user has interrupted; cli_exec_begin() installs the handler. */
extern volatile sig_atomic_t cli_exec_stop;

/* A limit with nothing but that: for commands without a program.  Installs the handler, too. */
struct limit cli_exec_interruptible(void);

/* Fills guest options and handler without a program, for replay. */
int cli_exec_prepare(struct cli_exec *x, const char *command, const struct cli_exec_opts *o,
		     bool capture, struct err *e);

#endif
