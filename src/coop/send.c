#include "coop/send.h"

#include <stdlib.h>
#include <string.h>

#include "coop/curl_door.h"

#define UNIX_PREFIX "unix:"
#define CONNECT_SECONDS 10L
#define STALL_SECONDS 60L /* so long nothing moves */
#define MAX_ANSWER 4096

struct coop_send {
	CURL *curl;
	char *url, *socket;
	struct curl_slist *headers, *put_headers;
	uint64_t rate;
	struct strbuf answer;
	const char *at; /* of the body */
	size_t left;
};

/* What comes back is only looked at for its word; an answer that is too long is none. */
static size_t take_answer(char *bytes, size_t size, size_t n, void *arg)
{
	struct coop_send *s = arg;

	if (size * n > MAX_ANSWER - s->answer.length)
		return 0;
	strbuf_add_bytes(&s->answer, bytes, size * n);
	return size * n;
}

static size_t give_body(char *to, size_t size, size_t n, void *arg)
{
	struct coop_send *s = arg;
	size_t some = size * n < s->left ? size * n : s->left;

	memcpy(to, s->at, some);
	s->at += some;
	s->left -= some;
	return some;
}

static int set_url(struct coop_send *s, const char *url, struct err *e)
{
	size_t n = strlen(UNIX_PREFIX);

	if (!strncmp(url, UNIX_PREFIX, n) && url[n]) {
		s->socket = xstrdup(url + n);
		s->url = xstrdup("http://localhost");
		return 0;
	}
	if (strncmp(url, "http://", 7) && strncmp(url, "https://", 8))
		return err_set(e, ERR_USAGE, "'%s' is not http://..., https://... or unix:PATH",
			       url);
	s->url = xstrdup(url);
	for (n = strlen(s->url); n && s->url[n - 1] == '/'; n--)
		s->url[n - 1] = '\0';
	return 0;
}

static struct curl_slist *make_headers(const char *token, bool put)
{
	struct curl_slist *list = NULL;
	char *line;

	if (token) {
		line = xasprintf("Authorization: Bearer %s", token);
		list = curl_door.slist_append(list, line);
		explicit_bzero(line, strlen(line));
		free(line);
	}
	if (put) {
		list = curl_door.slist_append(list, "Content-Encoding: zstd");
		/* Logs are small: waiting for a word before the body costs more than it saves. */
		list = curl_door.slist_append(list, "Expect:");
	}
	return list;
}

int coop_send_new(struct coop_send **out, const struct coop_send_opts *o, struct err *e)
{
	struct coop_send *s = xcalloc(1, sizeof(*s));
	int rc = set_url(s, o->url, e);

	*out = NULL;
	s->rate = o->rate;
	if (!rc && (!curl_door_open() || !(s->curl = curl_door.easy_init())))
		rc = err_set(e, ERR_TOOL, "libcurl.so.4 is not installed (Debian: libcurl4)");
	if (rc) {
		coop_send_free(s);
		return rc;
	}
	s->headers = make_headers(o->token, false);
	s->put_headers = make_headers(o->token, true);
	*out = s;
	return 0;
}

void coop_send_free(struct coop_send *s)
{
	if (!s)
		return;
	if (s->curl) {
		curl_door.slist_free_all(s->headers);
		curl_door.slist_free_all(s->put_headers);
		curl_door.easy_cleanup(s->curl);
	}
	strbuf_free(&s->answer);
	free(s->url);
	free(s->socket);
	free(s);
}

static void prepare(struct coop_send *s, const char *url)
{
	CURL *c = s->curl;

	curl_door.easy_reset(c);
	curl_door.easy_setopt(c, CURLOPT_URL, url);
	curl_door.easy_setopt(c, CURLOPT_PROTOCOLS_STR, "http,https");
	curl_door.easy_setopt(c, CURLOPT_FOLLOWLOCATION, 0L);
	curl_door.easy_setopt(c, CURLOPT_NOSIGNAL, 1L);
	curl_door.easy_setopt(c, CURLOPT_CONNECTTIMEOUT, CONNECT_SECONDS);
	curl_door.easy_setopt(c, CURLOPT_LOW_SPEED_LIMIT, 1L);
	curl_door.easy_setopt(c, CURLOPT_LOW_SPEED_TIME, STALL_SECONDS);
	curl_door.easy_setopt(c, CURLOPT_WRITEFUNCTION, take_answer);
	curl_door.easy_setopt(c, CURLOPT_WRITEDATA, s);
	if (s->socket)
		curl_door.easy_setopt(c, CURLOPT_UNIX_SOCKET_PATH, s->socket);
	if (s->rate)
		curl_door.easy_setopt(c, CURLOPT_MAX_SEND_SPEED_LARGE, (curl_off_t)s->rate);
	strbuf_clear(&s->answer);
}

/* The status, 0 when there was no answer. */
static long perform(struct coop_send *s, unsigned *wait, struct err *why)
{
	CURLcode rc = curl_door.easy_perform(s->curl);
	curl_off_t after = 0;
	long status = 0;

	if (rc != CURLE_OK) {
		err_set(why, ERR_IO, "%s", curl_door.easy_strerror(rc));
		return 0;
	}
	curl_door.easy_getinfo(s->curl, CURLINFO_RESPONSE_CODE, &status);
	curl_door.easy_getinfo(s->curl, CURLINFO_RETRY_AFTER, &after);
	*wait = after > 0 && after < 1000000 ? (unsigned)after : 0;
	return status;
}

/* The collector's own words for it, as far as they can be printed. */
static void explain(struct coop_send *s, long status, struct err *why)
{
	const char *key = s->answer.length ? strstr(s->answer.text, "\"text\": \"") : NULL;
	char text[128];
	size_t n = 0;

	for (key = key ? key + 9 : ""; *key && *key != '"' && n < sizeof(text) - 1; key++)
		if (*key >= ' ' && *key < 0x7f)
			text[n++] = *key;
	text[n] = '\0';
	err_set(why, ERR_IO, "it answers %ld%s%s", status, n ? ": " : "", text);
}

static enum coop_sent judge(struct coop_send *s, long status, struct err *why)
{
	if (status == 200 || status == 201)
		return status == 201 ? COOP_SENT : COOP_KNOWN;
	if (!status)
		return COOP_LATER;
	explain(s, status, why);
	if (status == 401) {
		err_set(why, ERR_IO, "it wants a valid token");
		return COOP_DENIED;
	}
	if (status == 429 && s->answer.length && strstr(s->answer.text, "\"quota\""))
		return COOP_ENOUGH;
	if (status == 400 || status == 403 || status == 409 || status == 411 || status == 413 ||
	    status == 415 || status == 422)
		return COOP_REFUSED;
	return COOP_LATER;
}

enum coop_sent coop_send(struct coop_send *s, const struct coop_upload *u, unsigned *wait,
			 struct err *why)
{
	char *url = xasprintf("%s/logs/%s", s->url, u->hash);
	long status;

	*wait = 0;
	prepare(s, url);
	curl_door.easy_setopt(s->curl, CURLOPT_NOBODY, 1L);
	curl_door.easy_setopt(s->curl, CURLOPT_HTTPHEADER, s->headers);
	status = perform(s, wait, why);
	if (status == 404) {
		prepare(s, url);
		curl_door.easy_setopt(s->curl, CURLOPT_UPLOAD, 1L);
		curl_door.easy_setopt(s->curl, CURLOPT_HTTPHEADER, s->put_headers);
		curl_door.easy_setopt(s->curl, CURLOPT_READFUNCTION, give_body);
		curl_door.easy_setopt(s->curl, CURLOPT_READDATA, s);
		curl_door.easy_setopt(s->curl, CURLOPT_INFILESIZE_LARGE,
				      (curl_off_t)u->body.length);
		s->at = u->body.text;
		s->left = u->body.length;
		status = perform(s, wait, why);
	}
	free(url);
	return judge(s, status, why);
}
