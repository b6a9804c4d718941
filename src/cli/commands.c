/* The table of commands. */
#include "cli/commands.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fs.h"
#include "cli/exit.h"

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

const struct cli_command cli_commands[] = {
	{"cc", "compile and link C for use with heddle (arguments as for clang)", run_cc, true},
	{"c++", "the same for C++", run_cxx, true},
	{"check", "run a program under many schedules and report what fails", cmd_check_run, false},
	{"run", "run a program once under control and keep a recording", cmd_run_run, false},
	{"replay", "run a recorded execution again, event by event", cmd_replay_run, false},
	{"pack", "make one file of a recording, its program and sources", cmd_pack_run, false},
	{"info", "show what is in a recording", cmd_info_run, false},
	{"predict", "find races, deadlocks and atomicity violations in one execution",
	 cmd_predict_run, false},
	{"analyze", "find races and deadlocks in the code, without running it", cmd_analyze_run, false},
	{"record", "run a program natively and keep a recording when it fails", cmd_record_run,
	 false},
	{"reproduce", "find a schedule that fails as a recorded run did", cmd_reproduce_run, false},
	{"explain", "show why an execution failed, beside one that passes", cmd_explain_run, false},
	{"hunt", "find a failure that no run has shown yet, from runs that passed", cmd_hunt_run,
	 false},
	{"coop", "make one failing execution out of partial logs of many runs", cmd_coop_run, false},
	{"stable", "run a program under one schedule, the same every time", cmd_stable_run, false},
	{"doctor", "say what heddle can do on this machine, and how to mend it", cmd_doctor_run,
	 false},
	{"config", "show the settings of heddle.conf", cmd_config_run, false},
	{"completion", "print the completion for bash, zsh or fish", cmd_completion_run, false},
	{NULL, NULL, NULL, false},
};

const struct cli_command *cli_command_find(const char *name)
{
	for (const struct cli_command *c = cli_commands; c->name; c++)
		if (strcmp(c->name, name) == 0)
			return c;
	return NULL;
}
