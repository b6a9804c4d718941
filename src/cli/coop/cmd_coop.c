/* heddle coop: partial logs of many runs. */
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/coop/coop.h"
#include "cli/exit.h"
#include "cli/out.h"

#define AT(field) offsetof(struct cli_coop_opts, field)

#define ROW_PERCENT                                                                                \
	{                                                                                          \
		0, "percent", OPTION_UINT, AT(percent), "25", 1, 100, "P",                         \
			"so many of a hundred elements are recorded (profile), or stay (cut)"      \
	}
#define ROW_ONE                                                                                    \
	{                                                                                          \
		0, "one", OPTION_FLAG, AT(one), NULL, 0, 0, NULL, "one element only"               \
	}
#define ROW_BLOCKS                                                                                 \
	{                                                                                          \
		0, "blocks", OPTION_FLAG, AT(blocks), NULL, 0, 0, NULL,                            \
			"profile: elements are blocks of code with shared accesses"                \
	}
#define ROW_GLOBAL                                                                                 \
	{                                                                                          \
		0, "global", OPTION_FLAG, AT(global), NULL, 0, 0, NULL,                            \
			"profile: the one order of all such blocks"                                \
	}
#define ROW_SEED                                                                                   \
	{                                                                                          \
		0, "seed", OPTION_UINT, AT(seed), "1", 0, 0, "N", "what is drawn depends on it"    \
	}
#define ROW_POLICY                                                                                 \
	{                                                                                          \
		0, "policy", OPTION_CHOICE, AT(policy), "uniform", 0, 0,                           \
			"uniform|balanced|overlap|correlated|dispersion",                          \
			"profile: how elements are chosen"                                         \
	}
#define ROW_NUMBER                                                                                 \
	{                                                                                          \
		0, "number", OPTION_UINT, AT(number), "1", 1, 1000000, "N",                        \
			"profile: the N-th of a series, each of which knows those before it"       \
	}
#define ROW_FROM                                                                                   \
	{                                                                                          \
		0, "from", OPTION_STRING, AT(from), NULL, 0, 0, "LOG|DIR",                         \
			"profile: logs that balanced and dispersion learn from"                    \
	}
#define ROW_OVERRIDE                                                                               \
	{                                                                                          \
		0, "override", OPTION_STRING, AT(override), NULL, 0, 0, "FILE",                    \
			"profile: lines -NAME (never that element) and +NAME (only such)"          \
	}
#define ROW_HEURISTIC                                                                              \
	{                                                                                          \
		0, "heuristic", OPTION_CHOICE, AT(heuristic), "auto", 0, 0,                        \
			"auto|sgm|dgm|one|hybrid|solve",                                           \
			"merge: which logs are put together first"                                 \
	}
#define ROW_SIMILARITY                                                                             \
	{                                                                                          \
		0, "similarity", OPTION_CHOICE, AT(similarity), "dsim", 0, 0, "dsim|psim|dhs",     \
			"merge: when two logs are similar"                                         \
	}
#define ROW_ATTEMPTS                                                                               \
	{                                                                                          \
		0, "attempts", OPTION_UINT, AT(attempts), "500", 1, 100000000, "N",                \
			"merge: give up after so many executions"                                  \
	}
#define ROW_FAILURE                                                                                \
	{                                                                                          \
		0, "failure", OPTION_STRING, AT(failure), NULL, 0, 0, "TEXT",                      \
			"merge: the failure whose line has TEXT, not the one of most logs"         \
	}
#define ROW_ARGS                                                                                   \
	{                                                                                          \
		0, "args", OPTION_STRING, AT(args), NULL, 0, 0, "WORDS",                           \
			"merge: arguments of the program, separated by blanks"                     \
	}
#define ROW_STDIN                                                                                  \
	{                                                                                          \
		0, "stdin", OPTION_STRING, AT(exec.stdin_path), NULL, 0, 0, "FILE|-",              \
			"merge: standard input of the program"                                     \
	}
#define ROW_STEPS                                                                                  \
	{                                                                                          \
		0, "max-steps", OPTION_UINT, AT(exec.max_steps), "1000000", 0,                     \
			UINT64_C(1000000000000), "N",                                              \
			"merge: end an execution after so many steps; 0: no limit"                 \
	}
#define ROW_TIME                                                                                   \
	{                                                                                          \
		't', "time", OPTION_DURATION, AT(exec.time_ns), "0", 0, 0, "TIME",                 \
			"merge: end after so long, whatever is under way; 0: no limit"             \
	}
#define ROW_OUT                                                                                    \
	{                                                                                          \
		'o', "output", OPTION_STRING, AT(out), CLI_OUT_DEFAULT, 0, 0, "DIR",               \
			"merge: directory for the bundle; cut: for the logs"                       \
	}
#define ROW_JSON                                                                                   \
	{                                                                                          \
		0, "json", OPTION_FLAG, AT(json), NULL, 0, 0, NULL, "merge, push: report as JSON"  \
	}
#define ROW_PROGRAM                                                                                \
	{                                                                                          \
		0, "program", OPTION_STRING, AT(program), NULL, 0, 0, "PROGRAM",                   \
			"show: take the names of elements from it"                                 \
	}
#define ROW_TOKEN                                                                                  \
	{                                                                                          \
		0, "token-file", OPTION_STRING, AT(token_file), NULL, 0, 0, "FILE",                \
			"push: the token that the collector wants is its first line"               \
	}
#define ROW_DRY                                                                                    \
	{                                                                                          \
		0, "dry-run", OPTION_FLAG, AT(dry_run), NULL, 0, 0, NULL,                          \
			"push: send nothing, print all that would be sent"                         \
	}
#define ROW_SPOOL                                                                                  \
	{                                                                                          \
		0, "spool", OPTION_FLAG, AT(spool), NULL, 0, 0, NULL,                              \
			"push: keep what cannot be sent now, the next push sends it"               \
	}
#define ROW_SPOOL_MAX                                                                              \
	{                                                                                          \
		0, "spool-max", OPTION_UINT, AT(spool_max), "67108864", 0, 0, "BYTES",             \
			"push: the most that is kept"                                              \
	}
#define ROW_SAMPLE                                                                                 \
	{                                                                                          \
		0, "sample", OPTION_UINT, AT(sample), "100", 0, 100, "P",                          \
			"push: of a hundred logs of passing runs so many are sent"                 \
	}
#define ROW_RATE                                                                                   \
	{                                                                                          \
		0, "rate", OPTION_UINT, AT(rate), "0", 0, 0, "BYTES",                              \
			"push: so many bytes a second; 0: no limit"                                \
	}
#define ROW_MAX_BYTES                                                                              \
	{                                                                                          \
		0, "max-bytes", OPTION_UINT, AT(max_bytes), "0", 0, 0, "BYTES",                    \
			"push: so many bytes in all; 0: no limit"                                  \
	}
#define END                                                                                        \
	{                                                                                          \
		0, NULL, OPTION_FLAG, 0, NULL, 0, 0, NULL, NULL                                    \
	}

static const struct cli_option table_all[] = {ROW_PERCENT,
					      ROW_ONE,
					      ROW_BLOCKS,
					      ROW_GLOBAL,
					      ROW_SEED,
					      ROW_POLICY,
					      ROW_NUMBER,
					      ROW_FROM,
					      ROW_OVERRIDE,
					      ROW_HEURISTIC,
					      ROW_SIMILARITY,
					      ROW_ATTEMPTS,
					      ROW_FAILURE,
					      ROW_ARGS,
					      ROW_STDIN,
					      ROW_STEPS,
					      ROW_TIME,
					      ROW_OUT,
					      ROW_JSON,
					      ROW_PROGRAM,
					      ROW_TOKEN,
					      ROW_DRY,
					      ROW_SPOOL,
					      ROW_SPOOL_MAX,
					      ROW_SAMPLE,
					      ROW_RATE,
					      ROW_MAX_BYTES,
					      CLI_EXEC_ENV(AT(exec.env)),
					      CLI_EXEC_ENGINE(struct cli_coop_opts),
					      END};
static const struct cli_option table_profile[] = {ROW_PERCENT,	ROW_ONE,    ROW_BLOCKS, ROW_GLOBAL,
						  ROW_SEED,	ROW_POLICY, ROW_NUMBER, ROW_FROM,
						  ROW_OVERRIDE, END};
static const struct cli_option table_merge[] = {ROW_HEURISTIC,
						ROW_SIMILARITY,
						ROW_ATTEMPTS,
						ROW_SEED,
						ROW_FAILURE,
						ROW_ARGS,
						ROW_STDIN,
						ROW_STEPS,
						ROW_TIME,
						ROW_OUT,
						ROW_JSON,
						CLI_EXEC_ENV(AT(exec.env)),
						CLI_EXEC_ENGINE(struct cli_coop_opts),
						END};
static const struct cli_option table_push[] = {ROW_TOKEN,     ROW_DRY,	  ROW_SPOOL,
					       ROW_SPOOL_MAX, ROW_SAMPLE, ROW_RATE,
					       ROW_MAX_BYTES, ROW_JSON,	  END};
static const struct cli_option table_show[] = {ROW_PROGRAM, END};
static const struct cli_option table_cut[] = {ROW_PERCENT, ROW_ONE, ROW_SEED, ROW_OUT, END};

static const struct {
	const char *name;
	struct cli_options options;
	int (*run)(const struct cli_coop_opts *o, int argc, char **argv);
} subcommands[] = {
	{"profile",
	 {"coop", "profile PROGRAM",
	  "Prints a logging profile: which shared elements of the program an installation "
	  "records with heddle record --partial.",
	  table_profile},
	 cli_coop_profile},
	{"merge",
	 {"coop", "merge PROGRAM LOG|DIR...",
	  "Puts partial logs of failing runs together and runs the program along the orders "
	  "until it fails as they did. Exit code 1: it did, and a bundle was written; 4: not "
	  "within the attempts.",
	  table_merge},
	 cli_coop_merge},
	{"push",
	 {"coop", "push URL LOG|DIR...",
	  "Sends partial logs to a collector (heddle-collectd), which is asked first whether it "
	  "has "
	  "them. Exit code 0: all are there, or in the spool; 3: some are not.",
	  table_push},
	 cli_coop_push},
	{"show", {"coop", "show LOG...", "Prints partial logs.", table_show}, cli_coop_show},
	{"cut",
	 {"coop", "cut LOG...",
	  "Writes logs that have a part of the elements of the given ones, and prints their names.",
	  table_cut},
	 cli_coop_cut},
};

static const struct cli_options options = {
	.command = "coop",
	.operands = "profile|merge|push|show|cut ...",
	.about = "Partial logs of many runs: profile says what an installation records, heddle "
		 "record "
		 "--partial records it, push sends logs to a collector, merge makes one failing "
		 "execution out of the logs, show prints logs, cut makes smaller ones.",
	.table = table_all,
};

int cmd_coop_run(int argc, char **argv)
{
	struct cli_coop_opts o = {.exec = CLI_EXEC_OPTS_INIT};
	struct err e = ERR_INIT;
	int rest, rc;

	for (size_t i = 0; argc > 1 && i < sizeof(subcommands) / sizeof(subcommands[0]); i++) {
		if (strcmp(argv[1], subcommands[i].name) != 0)
			continue;
		rc = cli_options_parse(&subcommands[i].options, &o, argc - 1, argv + 1, &rest, &e);
		if (rc)
			return cli_exit_options(&subcommands[i].options, rc, &e);
		return subcommands[i].run(&o, argc - 1 - rest, argv + 1 + rest);
	}
	rc = cli_options_parse(&options, &o, argc, argv, &rest, &e);
	if (!rc)
		rc = rest < argc
			     ? err_set(&e, ERR_USAGE,
				       "'%s' is not one of profile, merge, push, show, cut",
				       argv[rest])
			     : err_set(&e, ERR_USAGE,
				       "what? profile, merge, push, show or cut (see heddle coop "
				       "--help)");
	return cli_exit_options(&options, rc, &e);
}
