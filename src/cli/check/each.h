/*
 * heddle check --each-test: every test of a GoogleTest or Catch2 program by itself, some at the
 * same time, each in a heddle check of its own; then one summary.
 */
#ifndef HEDDLE_CLI_CHECK_EACH_H
#define HEDDLE_CLI_CHECK_EACH_H

#include "base/err.h"
#include "report/formats.h"

struct cli_each {
	char *const *options; /* of heddle check, for every test */
	size_t option_count;
	char *const *words; /* the program and its arguments; ends with NULL */
	unsigned jobs;	    /* tests at the same time; 0: as many as there are processors */
	uint64_t shard, shards;
	const char *junit; /* file; NULL: none */
	bool json, sarif;
};

/* Prints the reports and the summary; *code is the exit code. */
int cli_each_run(const struct cli_each *each, int *code, struct err *e);

/* The code that stands for several: findings before failures before inconclusive. */
int cli_each_worse(int a, int b);

#endif
