/*
 * The commands of heddle.  argv[0] is the command's name; the result is the exit code (cli/exit.h).
 * A new command: a file cmd_NAME.c with its option table, a declaration here, a row in commands.c.
 */
#ifndef HEDDLE_CLI_COMMANDS_H
#define HEDDLE_CLI_COMMANDS_H

#include <stdbool.h>

struct cli_command {
	const char *name;
	const char *summary;
	int (*run)(int argc, char **argv);
	bool is_compiler; /* its options are clang's */
};

/* All of them; ends with a NULL name. */
extern const struct cli_command cli_commands[];
const struct cli_command *cli_command_find(const char *name);

int cmd_check_run(int argc, char **argv);
int cmd_run_run(int argc, char **argv);
int cmd_replay_run(int argc, char **argv);
int cmd_info_run(int argc, char **argv);
int cmd_pack_run(int argc, char **argv);
int cmd_predict_run(int argc, char **argv);
int cmd_reproduce_run(int argc, char **argv);
int cmd_stable_run(int argc, char **argv);
int cmd_hunt_run(int argc, char **argv);
int cmd_analyze_run(int argc, char **argv);
int cmd_record_run(int argc, char **argv);
int cmd_explain_run(int argc, char **argv);
int cmd_coop_run(int argc, char **argv);
int cmd_doctor_run(int argc, char **argv);
int cmd_config_run(int argc, char **argv);
int cmd_completion_run(int argc, char **argv);

#endif
