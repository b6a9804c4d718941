/*
 * The commands of heddle.  argv[0] is the command's name; the result is the exit code (cli/exit.h).
 * A new command: a file cmd_NAME.c with its option table, a declaration here, a row in main.c.
 */
#ifndef HEDDLE_CLI_COMMANDS_H
#define HEDDLE_CLI_COMMANDS_H

int cmd_check_run(int argc, char **argv);
int cmd_run_run(int argc, char **argv);
int cmd_replay_run(int argc, char **argv);
int cmd_info_run(int argc, char **argv);
int cmd_predict_run(int argc, char **argv);
int cmd_stable_run(int argc, char **argv);

#endif
