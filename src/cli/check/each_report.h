/* What is said at the end of heddle check --each-test. */
#ifndef HEDDLE_CLI_CHECK_EACH_REPORT_H
#define HEDDLE_CLI_CHECK_EACH_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "report/ci/junit.h"

struct cli_each_test {
	const char *name;
	size_t number;
	pid_t pid; /* 0: not running */
	uint64_t begun, ns;
	bool done;
	int code;	 /* exit code of its check */
	char *out, *err; /* what it printed */
	char *verdict;	 /* in one sentence */
};

struct cli_each_report {
	const char *program;
	struct cli_each_test *tests;
	size_t count, of, disabled; /* tests here, in all shards, and those that are never run */
	uint64_t shard, shards;
	int code;
};

enum cli_each_format { CLI_EACH_TEXT, CLI_EACH_JSON, CLI_EACH_SARIF };

/* Finds the sentence in what the check of t printed, in any format. */
void cli_each_report_verdict(struct cli_each_test *t);

/* On standard output; what the checks said on standard error goes there. */
void cli_each_report(const struct cli_each_report *r, enum cli_each_format format);

#endif
