#include "collect/service.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/clock.h"
#include "base/json_out.h"
#include "collect/page.h"
#include "collect/say.h"

#define TEXT "text/plain; charset=utf-8"
#define JSON "application/json"
#define HTML "text/html; charset=utf-8"
#define BYTES "application/octet-stream"
#define QUOTA_RETRY 86400
#define STORE_RETRY 10

int collect_service_open(struct collect_service *s, const char *store, struct err *e)
{
	int rc = store_logs_open(store, &s->reader, e);

	pthread_mutex_init(&s->lock, NULL);
	if (!rc)
		rc = collect_writer_new(&s->writer, store, &s->quota, &s->counts, e);
	return rc;
}

void collect_service_close(struct collect_service *s)
{
	collect_writer_free(s->writer);
	store_logs_close(s->reader);
	collect_tokens_fini(&s->tokens);
	collect_rate_fini(&s->rate);
	vec_free(&s->builds);
	pthread_mutex_destroy(&s->lock);
}

/* {"error": WORD, "text": ...}: the word is for programs. */
static void refuse(struct collect_answer *a, unsigned status, const char *word, const char *text)
{
	struct json_out j;

	a->status = status;
	a->type = JSON;
	json_out_init(&j, &a->body);
	json_out_object_begin(&j, NULL);
	json_out_string(&j, "error", word);
	json_out_string(&j, "text", text);
	json_out_object_end(&j);
}

static void refuse_store(struct collect_service *s, struct collect_answer *a, const struct err *e)
{
	COLLECT_COUNT(&s->counts, store_errors, 1);
	collect_say("%s", e->text);
	strbuf_clear(&a->body);
	a->retry_after = STORE_RETRY;
	refuse(a, 503, "store", "the store does not answer");
}

static void say(struct collect_answer *a, const char *type)
{
	a->status = 200;
	a->type = type;
}

/* ---- questions; the lock of the reader is held ---- */

static int get_failures(struct collect_service *s, bool html, struct collect_answer *a,
			struct err *e)
{
	struct store_failures f = VEC_INIT;
	int rc = store_logs_failures(s->reader, &f, e);

	if (!rc && html)
		collect_page(&f, &a->body);
	else if (!rc)
		collect_page_json(&f, &a->body);
	store_failures_fini(&f);
	say(a, html ? HTML : JSON);
	return rc;
}

static int get_failure(struct collect_service *s, int64_t id, struct collect_answer *a,
		       struct err *e)
{
	struct store_failures f = VEC_INIT;
	struct strbuf hashes = STRBUF_INIT;
	int rc = store_logs_failures(s->reader, &f, e);
	size_t i = 0;

	while (!rc && i < f.count && f.items[i].id != id)
		i++;
	if (!rc && i == f.count)
		rc = err_set(e, ERR_NOT_FOUND, "there is no such failure");
	if (!rc)
		rc = store_logs_hashes(s->reader, id, &hashes, e);
	if (!rc)
		collect_page_failure(&f.items[i], &hashes, &a->body);
	strbuf_free(&hashes);
	store_failures_fini(&f);
	say(a, JSON);
	return rc;
}

/* HEAD asks whether it is there; GET gives it as heddle coop reads it. */
static int get_log(struct collect_service *s, const struct collect_target *t, bool whole,
		   struct collect_answer *a, struct err *e)
{
	struct strbuf kept = STRBUF_INIT;
	bool has = false;
	int rc;

	say(a, BYTES);
	if (!whole) {
		COLLECT_COUNT(&s->counts, asked, 1);
		rc = store_logs_has(s->reader, t->hash, &has, e);
		return rc || has ? rc : err_set(e, ERR_NOT_FOUND, "there is no such log");
	}
	a->name = "log.crep";
	rc = store_logs_get(s->reader, t->hash, &kept, e);
	if (!rc)
		rc = collect_plain(kept.text, kept.length, &s->sizes, &a->body, e);
	strbuf_free(&kept);
	return rc;
}

static int ask(struct collect_service *s, const struct collect_target *t, bool whole,
	       struct collect_answer *a, struct err *e)
{
	switch (t->route) {
	case COLLECT_PAGE:
		return get_failures(s, true, a, e);
	case COLLECT_FAILURES:
		return get_failures(s, false, a, e);
	case COLLECT_FAILURE:
		return get_failure(s, t->failure, a, e);
	case COLLECT_BUNDLE:
		say(a, BYTES);
		a->name = "failure.heddle-pack";
		return store_merge_bundle(s->reader, t->failure, &a->body, e);
	default:
		return get_log(s, t, whole, a, e);
	}
}

static void answer_question(struct collect_service *s, const struct collect_target *t, bool whole,
			    struct collect_answer *a)
{
	struct err e = ERR_INIT;
	int rc;

	pthread_mutex_lock(&s->lock);
	rc = ask(s, t, whole, a, &e);
	pthread_mutex_unlock(&s->lock);
	if (rc == ERR_NOT_FOUND) {
		a->name = NULL;
		refuse(a, 404, "absent", "there is no such thing");
	} else if (rc) {
		a->name = NULL;
		refuse_store(s, a, &e);
	}
}

static void answer_health(struct collect_service *s, struct collect_answer *a)
{
	bool works = collect_writer_works(s->writer) && !s->ends;

	say(a, TEXT);
	a->status = works ? 200 : 503;
	strbuf_add(&a->body, works ? "ok\n" : s->ends ? "ends\n" : "the store does not answer\n");
}

static void answer_metrics(struct collect_service *s, struct collect_answer *a)
{
	say(a, "text/plain; version=0.0.4; charset=utf-8");
	collect_counts_text(&s->counts, &a->body);
	strbuf_addf(&a->body,
		    "# HELP heddle_collect_memory_bytes bodies of uploads under way\n"
		    "# TYPE heddle_collect_memory_bytes gauge\n"
		    "heddle_collect_memory_bytes %zu\n",
		    (size_t)s->used);
}

/* ---- uploads ---- */

static bool parse_length(const char *text, uint64_t *n)
{
	char *end;

	if (!text || *text < '0' || *text > '9' || strlen(text) > 18)
		return false;
	*n = strtoull(text, &end, 10);
	return !*end;
}

bool collect_service_reserve(struct collect_service *s, size_t n)
{
	if (atomic_fetch_add(&s->used, n) + n <= s->memory)
		return true;
	atomic_fetch_sub(&s->used, n);
	return false;
}

void collect_service_release(struct collect_service *s, size_t n)
{
	atomic_fetch_sub(&s->used, n);
}

void collect_service_busy(struct collect_service *s, struct collect_answer *a)
{
	COLLECT_COUNT(&s->counts, refused_busy, 1);
	a->retry_after = 1;
	refuse(a, 503, "busy", s->ends ? "the collector ends" : "too many uploads at a time");
}

static void begin_upload(struct collect_service *s, const struct collect_request *r,
			 struct collect_answer *a)
{
	uint64_t n = 0;

	if (s->ends) {
		collect_service_busy(s, a);
	} else if (r->chunked || !parse_length(r->length, &n)) {
		COLLECT_COUNT(&s->counts, refused_size, 1);
		refuse(a, 411, "length", "the length of the body is not said");
	} else if (n > s->sizes.body) {
		COLLECT_COUNT(&s->counts, refused_size, 1);
		refuse(a, 413, "size", "the body is too large");
	} else if (r->encoding && strcasecmp(r->encoding, "zstd") &&
		   strcasecmp(r->encoding, "identity")) {
		COLLECT_COUNT(&s->counts, refused_format, 1);
		refuse(a, 415, "encoding", "bodies are plain or zstd");
	}
}

static bool is_wanted(const struct collect_service *s, const struct collect_upload *u)
{
	bool wanted = !s->builds.count;

	for (size_t i = 0; i < s->builds.count && !wanted; i++)
		wanted = !memcmp(s->builds.items[i].id, u->log.build, STORE_BUILD_BYTES);
	return wanted;
}

static void refuse_body(struct collect_service *s, int rc, const struct err *e,
			struct collect_answer *a)
{
	if (rc == ERR_LIMIT) {
		COLLECT_COUNT(&s->counts, refused_size, 1);
		refuse(a, 413, "size", e->text);
	} else if (rc == ERR_MISMATCH) {
		COLLECT_COUNT(&s->counts, refused_hash, 1);
		refuse(a, 422, "hash", e->text);
	} else {
		COLLECT_COUNT(&s->counts, refused_format, 1);
		refuse(a, 422, "format", e->text);
	}
}

bool collect_service_take(struct collect_service *s, const struct collect_target *target,
			  struct strbuf *body, struct collect_upload *u, struct collect_answer *a)
{
	struct err e = ERR_INIT;
	int rc;

	COLLECT_COUNT(&s->counts, bytes_in, body->length);
	rc = collect_admit(u, body, target->hash, &s->sizes, &e);
	if (rc) {
		refuse_body(s, rc, &e, a);
		return false;
	}
	if (!is_wanted(s, u)) {
		COLLECT_COUNT(&s->counts, refused_build, 1);
		refuse(a, 403, "build", "logs of this build are not collected");
		collect_upload_fini(u);
		return false;
	}
	return true;
}

void collect_service_added(struct collect_service *s, const struct collect_job *job,
			   struct collect_answer *a)
{
	if (job->rc) {
		a->retry_after = STORE_RETRY;
		refuse(a, 503, "store", "the store does not answer");
		return;
	}
	switch (job->added) {
	case STORE_FRESH:
	case STORE_KNOWN:
		say(a, JSON);
		a->status = job->added == STORE_FRESH ? 201 : 200;
		strbuf_addf(&a->body, "{\"stored\": true, \"fresh\": %s}\n",
			    job->added == STORE_FRESH ? "true" : "false");
		break;
	case STORE_FULL:
		a->retry_after = QUOTA_RETRY;
		refuse(a, 429, "quota", "there are enough logs of this failure, or in all");
		break;
	case STORE_ODD:
		refuse(a, 409, "odd", "other logs of this build have another number of elements");
		break;
	}
}

/* ---- all requests ---- */

/* Health is for whoever watches; everything else needs what was agreed on. */
static bool is_allowed(struct collect_service *s, const struct collect_request *r,
		       struct collect_answer *a)
{
	unsigned wait = collect_rate_take(&s->rate, r->client, clock_now_ns());

	if (wait) {
		COLLECT_COUNT(&s->counts, refused_rate, 1);
		a->retry_after = wait;
		refuse(a, 429, "rate", "too many requests");
		return false;
	}
	if (s->tokens.count && !collect_tokens_allow(&s->tokens, r->authorization)) {
		COLLECT_COUNT(&s->counts, refused_token, 1);
		refuse(a, 401, "token", "a valid token is needed");
		return false;
	}
	return true;
}

void collect_service_begin(struct collect_service *s, const struct collect_request *r,
			   struct collect_target *target, struct collect_answer *a)
{
	collect_route(r->url, target);
	if (target->route == COLLECT_HEALTH && r->method <= COLLECT_HEAD) {
		answer_health(s, a);
		return;
	}
	if (!is_allowed(s, r, a))
		return;
	if (target->route == COLLECT_NOWHERE) {
		COLLECT_COUNT(&s->counts, refused_request, 1);
		refuse(a, 404, "absent", "there is no such thing");
	} else if (r->method == COLLECT_PUT && target->route == COLLECT_LOG) {
		begin_upload(s, r, a);
	} else if (r->method > COLLECT_HEAD) {
		COLLECT_COUNT(&s->counts, refused_request, 1);
		refuse(a, 405, "method", "that cannot be done with it");
	} else if (target->route == COLLECT_METRICS) {
		answer_metrics(s, a);
	} else {
		answer_question(s, target, r->method == COLLECT_GET, a);
	}
}
