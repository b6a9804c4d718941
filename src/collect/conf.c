#include "collect/conf.h"

#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum kind { FLAG, TEXT, NUMBER, SIZE, LIST };

#define AT(field) offsetof(struct collect_conf, field)
#define K UINT64_C(1024)

static const struct row {
	const char *name;
	enum kind kind;
	size_t at;
	uint64_t fallback, min, max;
	const char *arg, *help;
} rows[] = {
	{"listen", TEXT, AT(listen), 0, 0, 0, "ADDR:PORT|unix:PATH",
	 "where to listen; without it at the socket that the service manager hands over"},
	{"store", TEXT, AT(store), 0, 0, 0, "sqlite:FILE|postgresql://...", "where logs are kept"},
	{"token-file", TEXT, AT(token_file), 0, 0, 0, "FILE",
	 "a token per line; every request but /health needs one of them"},
	{"anonymous", FLAG, AT(anonymous), 0, 0, 0, NULL,
	 "serve addresses other than this machine's without tokens"},
	{"build", LIST, AT(builds), 0, 0, 0, "HEX",
	 "take logs of this build only; may be given several times"},
	{"max-body", SIZE, AT(max_body), 1024 * K, 64, 1024 * 1024 * K, "BYTES",
	 "the largest upload as it comes"},
	{"max-log", SIZE, AT(max_log), 8 * 1024 * K, 64, 1024 * 1024 * K, "BYTES",
	 "the largest log, decompressed"},
	{"max-elements", NUMBER, AT(max_elements), 100000, 1, 1 << 24, "N",
	 "the most elements that a program has"},
	{"max-threads", NUMBER, AT(max_threads), 10000, 1, 1 << 20, "N",
	 "the most threads that a run has"},
	{"quota-logs", NUMBER, AT(quota_logs), 1000, 1, 100000000, "N",
	 "so many logs of one failure are kept"},
	{"quota-failures", NUMBER, AT(quota_failures), 1000, 1, 1000000, "N",
	 "so many failures are kept"},
	{"quota-bytes", SIZE, AT(quota_bytes), 1024 * 1024 * K, 1024, UINT64_C(1) << 50, "BYTES",
	 "so many bytes of logs are kept"},
	{"rate", NUMBER, AT(rate), 20, 0, 1000000, "N",
	 "requests a second of one client in the long run; 0: no limit"},
	{"burst", NUMBER, AT(burst), 500, 1, 1000000, "N", "requests of one client at once"},
	{"connections", NUMBER, AT(connections), 1000, 8, 100000, "N", "connections at a time"},
	{"connections-per-client", NUMBER, AT(connections_per_client), 200, 1, 100000, "N",
	 "connections of one address at a time"},
	{"memory", SIZE, AT(memory), 64 * 1024 * K, 64, UINT64_C(1) << 40, "BYTES",
	 "bodies of uploads under way, together"},
	{"timeout", NUMBER, AT(timeout), 30, 1, 3600, "SECONDS",
	 "so long may a request take to come"},
	{"threads", NUMBER, AT(threads), 2, 2, 64, "N", "threads that serve connections"},
	{"programs", TEXT, AT(programs), 0, 0, 0, "DIR",
	 "merge logs of the programs in this directory; without it nothing is merged"},
	{"work", TEXT, AT(work), 0, 0, 0, "DIR", "where merges are done; $TMPDIR by default"},
	{"merge-user", TEXT, AT(merge_user), 0, 0, 0, "USER",
	 "merges are done by this user, when the collector is root"},
	{"merge-logs", NUMBER, AT(merge_logs), 1, 1, 1000000, "N",
	 "merge when a failure has so many logs, and again when there are twice as many"},
	{"merge-time", NUMBER, AT(merge_time), 300, 1, 86400, "SECONDS", "the longest merge"},
	{"merge-attempts", NUMBER, AT(merge_attempts), 500, 1, 100000000, "N",
	 "executions of one merge"},
	{"version", FLAG, AT(version), 0, 0, 0, NULL, "print the version"},
	{"help", FLAG, AT(help), 0, 0, 0, NULL, "print this"},
};
#define ROWS (sizeof(rows) / sizeof(rows[0]))

static int parse_number(const struct row *r, const char *text, uint64_t *to, struct err *e)
{
	char *end;
	uint64_t times = 1;

	errno = 0;
	*to = strtoull(text, &end, 10);
	if (r->kind == SIZE && *end && !end[1]) {
		times = *end == 'K' ? K : *end == 'M' ? K * K : *end == 'G' ? K * K * K : 0;
		end += times != 0;
	}
	if (*text < '0' || *text > '9' || *end || errno || !times || *to > UINT64_MAX / times)
		return err_set(e, ERR_USAGE, "--%s: '%s' is no number", r->name, text);
	*to *= times;
	if (*to < r->min || *to > r->max)
		return err_set(e, ERR_USAGE, "--%s: from %" PRIu64 " to %" PRIu64, r->name, r->min,
			       r->max);
	return 0;
}

static int set(struct collect_conf *c, const struct row *r, const char *value, struct err *e)
{
	void *to = (char *)c + r->at;

	switch (r->kind) {
	case FLAG:
		*(bool *)to = true;
		return 0;
	case TEXT:
		*(const char **)to = value;
		return 0;
	case LIST:
		vec_push(&c->builds, value);
		return 0;
	default:
		return parse_number(r, value, to, e);
	}
}

static const struct row *find(const char *name, size_t n)
{
	for (size_t i = 0; i < ROWS; i++)
		if (strlen(rows[i].name) == n && !strncmp(rows[i].name, name, n))
			return &rows[i];
	return NULL;
}

int collect_conf_parse(struct collect_conf *c, int argc, char **argv, struct err *e)
{
	int rc = 0;

	*c = (struct collect_conf){.builds = VEC_INIT};
	for (size_t i = 0; i < ROWS; i++)
		if (rows[i].kind == NUMBER || rows[i].kind == SIZE)
			*(uint64_t *)(void *)((char *)c + rows[i].at) = rows[i].fallback;
	for (int i = 1; i < argc && !rc; i++) {
		const char *word = !strcmp(argv[i], "-h") ? "--help" : argv[i];
		const char *name = strncmp(word, "--", 2) ? NULL : word + 2;
		size_t n = name ? strcspn(name, "=") : 0;
		const struct row *r = name ? find(name, n) : NULL;
		const char *value = r && name[n] ? name + n + 1 : NULL;

		if (!r)
			return err_set(e, ERR_USAGE, "'%s' is not understood (see --help)",
				       argv[i]);
		if (r->kind != FLAG && !value && i + 1 < argc)
			value = argv[++i];
		if (r->kind != FLAG && (!value || !*value))
			return err_set(e, ERR_USAGE, "--%s needs a value", r->name);
		if (r->kind == FLAG && value)
			return err_set(e, ERR_USAGE, "--%s has no value", r->name);
		rc = set(c, r, value, e);
	}
	return rc;
}

void collect_conf_fini(struct collect_conf *c)
{
	vec_free(&c->builds);
}

void collect_conf_help(struct strbuf *to)
{
	strbuf_add(to, "usage: heddle-collectd [--listen=ADDR:PORT|unix:PATH] --store=STORE "
		       "[options]\n\nTakes partial logs of many users (heddle coop push), sorts "
		       "them by build and failure,\nmerges them, and shows what there is.\n\n");
	for (size_t i = 0; i < ROWS; i++) {
		const struct row *r = &rows[i];

		strbuf_addf(to, "  --%s%s%s\n      %s", r->name, r->arg ? "=" : "",
			    r->arg ? r->arg : "", r->help);
		if (r->kind == NUMBER || r->kind == SIZE)
			strbuf_addf(to, " (default: %" PRIu64 ")", r->fallback);
		strbuf_add(to, "\n");
	}
}
