/* heddle coop: what its subcommands share. */
#ifndef HEDDLE_CLI_COOP_H
#define HEDDLE_CLI_COOP_H

#include "cli/exec.h"
#include "coop/log.h"
#include "coop/profile.h"

struct cli_coop_opts {
	struct cli_exec_opts exec;
	uint64_t percent, seed, number, attempts;
	uint64_t sample, rate, max_bytes, spool_max;
	bool one, blocks, global, json, dry_run, spool;
	int policy, heuristic, similarity;
	const char *out, *from, *override, *failure, *args, *program, *token_file;
};

/* argv[0] is the subcommand; the options were parsed. */
int cli_coop_profile(const struct cli_coop_opts *o, int argc, char **argv);
int cli_coop_merge(const struct cli_coop_opts *o, int argc, char **argv);
int cli_coop_show(const struct cli_coop_opts *o, int argc, char **argv);
int cli_coop_push(const struct cli_coop_opts *o, int argc, char **argv);
int cli_coop_cut(const struct cli_coop_opts *o, int argc, char **argv);

/* Logs with the files they are from. */
struct cli_coop_file {
	char *path;
	struct coop_log log;
};

struct cli_coop_files {
	VEC_FIELDS(struct cli_coop_file *);
};

/* A log, or all logs (*.crep) in a directory, sorted by name; none there is an error. */
int cli_coop_read(struct cli_coop_files *f, const char *path, struct err *e);
void cli_coop_files_fini(struct cli_coop_files *f);

/* The number of elements that the options ask for, of n. */
uint32_t cli_coop_size(const struct cli_coop_opts *o, uint32_t n);

#endif
