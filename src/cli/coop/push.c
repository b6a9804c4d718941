/* heddle coop push: logs to a collector. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/json_out.h"
#include "cli/coop/coop.h"
#include "cli/exit.h"
#include "coop/send.h"
#include "coop/spool.h"

#define MAX_TOKEN 1000
#define PATIENCE 30 /* seconds that one command waits in all when it is told to */

struct push {
	const struct cli_coop_opts *o;
	const char *url;
	char *token;
	struct coop_send *send;
	struct coop_spool spool;
	unsigned patience;
	bool offline, denied;
	uint64_t sent, known, enough, refused, spooled, unsent, left_out, bytes;
	struct strbuf said; /* lines: what was not sent, and why */
};

/* The first line of a file that is the user's alone. */
static int read_token(struct push *p, struct err *e)
{
	const char *path = p->o->token_file;
	struct stat st;
	size_t n = 0;
	int rc = 0;

	if (!path)
		return 0;
	if (stat(path, &st) == 0 && (st.st_mode & 077))
		return err_set(e, ERR_FORMAT, "%s can be read by others (chmod 600 %s)", path,
			       path);
	rc = fs_read_file(path, MAX_TOKEN, &p->token, &n, e);
	if (!rc) {
		p->token[strcspn(p->token, " \t\r\n")] = '\0';
		if (!*p->token)
			rc = err_set(e, ERR_FORMAT, "%s has no token in its first line", path);
	}
	return rc;
}

static void say(struct push *p, const char *path, const char *what, const char *why)
{
	strbuf_addf(&p->said, "%s: %s%s%s\n", path, what, *why ? ": " : "", why);
}

/* A word of "not now" is heeded once in a while; the rest of the command does without. */
static enum coop_sent send_one(struct push *p, const struct coop_upload *u, struct err *why)
{
	unsigned wait = 0;
	enum coop_sent got = coop_send(p->send, u, &wait, why);

	while (got == COOP_LATER && wait && wait <= p->patience) {
		p->patience -= wait;
		sleep(wait);
		got = coop_send(p->send, u, &wait, why);
	}
	p->denied |= got == COOP_DENIED;
	p->offline = got == COOP_LATER || got == COOP_DENIED;
	return got;
}

static void keep(struct push *p, const struct coop_upload *u, const char *path, const char *why)
{
	struct err e = ERR_INIT;
	bool fresh;

	if (p->o->spool && !coop_spool_add(&p->spool, u, p->o->spool_max, &fresh, &e)) {
		p->spooled += fresh;
		return;
	}
	p->unsent++;
	say(p, path, "not sent", p->o->spool ? e.text : why);
}

/* true: it need not be kept any longer. */
static bool count(struct push *p, enum coop_sent got, const char *path, const struct err *why)
{
	p->sent += got == COOP_SENT;
	p->known += got == COOP_KNOWN;
	p->enough += got == COOP_ENOUGH;
	p->refused += got == COOP_REFUSED;
	if (got == COOP_ENOUGH || got == COOP_REFUSED)
		say(p, path, got == COOP_ENOUGH ? "not wanted" : "refused", why->text);
	return got != COOP_LATER && got != COOP_DENIED;
}

static bool may_send(struct push *p, const struct coop_upload *u, struct err *why)
{
	if (p->offline)
		return false;
	if (!p->o->max_bytes || p->bytes + u->body.length <= p->o->max_bytes)
		return true;
	err_set(why, ERR_LIMIT, "--max-bytes is reached");
	return false;
}

static bool try(struct push *p, const struct coop_upload *u, const char *path, struct err *why)
{
	enum coop_sent got = COOP_LATER;

	if (may_send(p, u, why)) {
		got = send_one(p, u, why);
		p->bytes += got == COOP_SENT ? u->body.length : 0;
		if (p->offline && !strstr(p->said.length ? p->said.text : "", why->text))
			say(p, p->url, "not now", why->text);
	} else if (p->offline) {
		err_set(why, ERR_IO, "the collector did not take what came before");
	}
	return count(p, got, path, why);
}

static void push_spool(struct push *p)
{
	for (size_t i = 0; i < p->spool.files.count; i++) {
		const char *path = p->spool.files.items[i];
		struct coop_upload u = {.hash = ""};
		struct err e = ERR_INIT;

		if (coop_upload_read(&u, path, &e)) {
			p->refused++;
			say(p, path, "removed from the spool", e.text);
			unlink(path);
		} else if (try(p, &u, path, &e)) {
			unlink(path);
		} else {
			p->spooled++;
		}
		coop_upload_fini(&u);
	}
}

static int push_log(struct push *p, const char *path, struct err *e)
{
	struct coop_upload u = {.hash = ""};
	struct err why = ERR_INIT;
	struct strbuf text = STRBUF_INIT;
	int rc = coop_upload_read(&u, path, e);

	if (rc)
		return rc;
	if (!coop_upload_sampled(&u, (unsigned)p->o->sample)) {
		p->left_out++;
	} else if (p->o->dry_run) {
		p->bytes += u.body.length;
		p->unsent++;
		coop_upload_text(&u, p->url, &text);
		if (!p->o->json)
			fputs(text.text, stdout);
		else
			strbuf_addf(&p->said, "%s", text.text);
	} else if (!try(p, &u, path, &why)) {
		keep(p, &u, path, why.text);
	}
	strbuf_free(&text);
	coop_upload_fini(&u);
	return 0;
}

static int exit_code(const struct push *p)
{
	return !p->o->dry_run && (p->refused || p->unsent || p->denied) ? CLI_FAILURE : CLI_CLEAN;
}

static void print_json(const struct push *p)
{
	struct strbuf to = STRBUF_INIT;
	struct json_out j;

	json_out_init(&j, &to);
	json_out_object_begin(&j, NULL);
	json_out_string(&j, "command", "coop push");
	json_out_string(&j, "url", p->url);
	json_out_bool(&j, "dry_run", p->o->dry_run);
	json_out_uint(&j, "sent", p->sent);
	json_out_uint(&j, "known", p->known);
	json_out_uint(&j, "enough", p->enough);
	json_out_uint(&j, "refused", p->refused);
	json_out_uint(&j, "spooled", p->spooled);
	json_out_uint(&j, "unsent", p->unsent);
	json_out_uint(&j, "left_out", p->left_out);
	json_out_uint(&j, "bytes", p->bytes);
	json_out_string(&j, "text", p->said.length ? p->said.text : "");
	json_out_int(&j, "exit_code", exit_code(p));
	json_out_object_end(&j);
	fputs(to.text, stdout);
	strbuf_free(&to);
}

static void print_text(const struct push *p)
{
	if (p->said.length)
		fputs(p->said.text, stderr);
	if (p->o->dry_run)
		printf("%" PRIu64 " logs would be sent, %" PRIu64 " bytes; nothing was\n",
		       p->unsent, p->bytes);
	else
		printf("%" PRIu64 " sent, %" PRIu64 " there already, %" PRIu64
		       " not wanted, %" PRIu64 " refused, %" PRIu64 " in the spool, %" PRIu64
		       " not sent\n",
		       p->sent, p->known, p->enough, p->refused, p->spooled, p->unsent);
}

/* Logs, and directories of logs. */
static int push_all(struct push *p, int argc, char **argv, struct err *e)
{
	int rc = 0;

	if (!p->o->dry_run)
		push_spool(p);
	for (int i = 0; i < argc && !rc; i++) {
		struct cli_coop_files f = VEC_INIT;

		rc = cli_coop_read(&f, argv[i], e);
		for (size_t k = 0; k < f.count && !rc; k++)
			rc = push_log(p, f.items[k]->path, e);
		cli_coop_files_fini(&f);
	}
	return rc;
}

int cli_coop_push(const struct cli_coop_opts *o, int argc, char **argv)
{
	struct push p = {.o = o, .patience = PATIENCE, .url = argc ? argv[0] : ""};
	struct coop_send_opts send = {.url = p.url, .rate = o->rate};
	struct err e = ERR_INIT;
	int rc = argc ? 0 : err_set(&e, ERR_USAGE, "the URL of a collector is missing");

	if (!rc)
		rc = read_token(&p, &e);
	send.token = p.token;
	if (!rc && !o->dry_run)
		rc = coop_send_new(&p.send, &send, &e);
	if (!rc && !o->dry_run && coop_spool_open(&p.spool, p.url, &e) && o->spool)
		rc = e.code;
	if (!rc && argc < 2 && !p.spool.files.count)
		rc = err_set(&e, ERR_USAGE, "a log is missing, and the spool is empty");
	if (!rc)
		rc = push_all(&p, argc - 1, argv + 1, &e);
	if (!rc && o->json)
		print_json(&p);
	else if (!rc)
		print_text(&p);
	if (!rc)
		rc = fs_finish_output(stdout, "standard output", &e);
	coop_send_free(p.send);
	coop_spool_fini(&p.spool);
	strbuf_free(&p.said);
	free(p.token);
	return rc ? cli_exit_error("coop", &e) : exit_code(&p);
}
