/* heddle-collectd: a service that collects partial logs. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "collect/conf.h"
#include "collect/http.h"
#include "collect/listen.h"
#include "collect/merge.h"
#include "collect/say.h"

#define SPARE_FDS 64
#define VERSION "0.1.0"

struct daemon {
	struct collect_conf conf;
	struct collect_listen at;
	struct collect_service service;
	struct collect_http *http;
	struct collect_merge *merge;
	sigset_t signals;
};

static int digit(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static int add_build(struct collect_service *s, const char *text, struct err *e)
{
	struct collect_build b;

	if (strlen(text) != 2 * sizeof(b.id))
		return err_set(e, ERR_USAGE, "--build: %zu digits", 2 * sizeof(b.id));
	for (size_t i = 0; i < sizeof(b.id); i++) {
		int high = digit(text[2 * i]), low = digit(text[2 * i + 1]);

		if (high < 0 || low < 0)
			return err_set(e, ERR_USAGE, "--build: lower-case hexadecimal digits");
		b.id[i] = (uint8_t)(high << 4 | low);
	}
	vec_push(&s->builds, b);
	return 0;
}

static int fill(struct daemon *d, struct err *e)
{
	const struct collect_conf *c = &d->conf;
	struct collect_service *s = &d->service;
	int rc = 0;

	s->sizes = (struct collect_sizes){c->max_body, c->max_log, (uint32_t)c->max_elements,
					  (uint32_t)c->max_threads};
	s->quota = (struct store_quota){c->quota_logs, c->quota_failures, c->quota_bytes};
	s->memory = c->memory;
	collect_rate_init(&s->rate, c->rate, c->burst);
	for (size_t i = 0; i < c->builds.count && !rc; i++)
		rc = add_build(s, c->builds.items[i], e);
	if (!rc && c->token_file)
		rc = collect_tokens_read(&s->tokens, c->token_file, e);
	return rc;
}

/* Connections need descriptors; what the system does not give is not promised. */
static void raise_files(struct collect_conf *c)
{
	struct rlimit l;
	rlim_t want = (rlim_t)c->connections + SPARE_FDS;

	if (getrlimit(RLIMIT_NOFILE, &l) != 0 || l.rlim_cur >= want)
		return;
	l.rlim_cur = want < l.rlim_max ? want : l.rlim_max;
	setrlimit(RLIMIT_NOFILE, &l);
	if (l.rlim_cur < want) {
		c->connections = l.rlim_cur > 2 * SPARE_FDS ? l.rlim_cur - SPARE_FDS : SPARE_FDS;
		collect_say("only %llu connections: the system gives no more files",
			    (unsigned long long)c->connections);
	}
}

static int begin_merges(struct daemon *d, struct err *e)
{
	const struct collect_conf *c = &d->conf;
	struct collect_merge_opts o = {.store = c->store,
				       .programs = c->programs,
				       .work = c->work,
				       .user = c->merge_user,
				       .logs = c->merge_logs,
				       .attempts = c->merge_attempts,
				       .seconds = (unsigned)c->merge_time,
				       .max_bundle = c->memory / 4 * 3};

	return collect_merge_new(&d->merge, &d->service, &o, e);
}

static int begin(struct daemon *d, struct err *e)
{
	const struct collect_conf *c = &d->conf;
	int rc = c->store ? fill(d, e) : err_set(e, ERR_USAGE, "--store is missing");

	if (!rc)
		rc = collect_listen_open(&d->at, c->listen, e);
	if (!rc && !d->at.local && !c->token_file && !c->anonymous)
		rc = err_set(e, ERR_USAGE,
			     "others could reach it without a token: --token-file, or --anonymous "
			     "if that is meant");
	if (!rc)
		rc = collect_service_open(&d->service, c->store, e);
	if (!rc && c->programs)
		rc = begin_merges(d, e);
	return rc;
}

static int serve(struct daemon *d, struct err *e)
{
	struct collect_http_opts o = {(unsigned)d->conf.threads, (unsigned)d->conf.connections,
				      (unsigned)d->conf.connections_per_client,
				      (unsigned)d->conf.timeout};
	struct strbuf name = STRBUF_INIT;
	int rc, got = 0;

	collect_listen_name(&d->at, &name);
	rc = collect_http_new(&d->http, &d->service, d->at.fd, &o, e);
	if (!rc) {
		collect_say("listens at %s", name.text);
		collect_listen_notify("READY=1");
		while (sigwait(&d->signals, &got) != 0)
			;
		collect_listen_notify("STOPPING=1");
		collect_http_free(d->http);
		collect_say("ended by signal %d", got);
	}
	strbuf_free(&name);
	return rc;
}

static int run(struct daemon *d)
{
	struct err e = ERR_INIT;
	int rc = begin(d, &e);

	raise_files(&d->conf);
	if (!rc)
		rc = serve(d, &e);
	else if (d->at.fd >= 0)
		close(d->at.fd);
	collect_merge_free(d->merge);
	collect_service_close(&d->service);
	collect_listen_fini(&d->at);
	if (rc)
		collect_say("%s", e.text);
	return rc == ERR_USAGE ? 2 : rc ? 3 : 0;
}

static int print(const char *text)
{
	return fputs(text, stdout) < 0 || fflush(stdout) ? 3 : 0;
}

int main(int argc, char **argv)
{
	static struct daemon d = {.at = {.fd = -1}};
	struct strbuf help = STRBUF_INIT;
	struct err e = ERR_INIT;
	int code;

	/* Every thread leaves them to the one that waits for them. */
	sigemptyset(&d.signals);
	sigaddset(&d.signals, SIGTERM);
	sigaddset(&d.signals, SIGINT);
	pthread_sigmask(SIG_BLOCK, &d.signals, NULL);
	signal(SIGPIPE, SIG_IGN);
	if (collect_conf_parse(&d.conf, argc, argv, &e)) {
		collect_say("%s", e.text);
		code = 2;
	} else if (d.conf.help) {
		collect_conf_help(&help);
		code = print(help.text);
		strbuf_free(&help);
	} else if (d.conf.version) {
		code = print("heddle-collectd " VERSION "\n");
	} else {
		code = run(&d);
	}
	collect_conf_fini(&d.conf);
	return code;
}
