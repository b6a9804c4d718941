/* What a collector is told on its command line. */
#ifndef HEDDLE_COLLECT_CONF_H
#define HEDDLE_COLLECT_CONF_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/strbuf.h"
#include "base/vec.h"

struct collect_conf {
	const char *listen, *store, *token_file, *programs, *work, *merge_user;
	bool anonymous, help, version;
	uint64_t max_body, max_log, max_elements, max_threads;
	uint64_t quota_logs, quota_failures, quota_bytes;
	uint64_t rate, burst, connections, connections_per_client, memory;
	uint64_t timeout, threads;
	uint64_t merge_logs, merge_time, merge_attempts;
	VEC(const char *) builds;
};

/* Everything in *c is borrowed from argv.  ERR_USAGE. */
int collect_conf_parse(struct collect_conf *c, int argc, char **argv, struct err *e);
void collect_conf_fini(struct collect_conf *c);
void collect_conf_help(struct strbuf *to);

#endif
