#include "collect/admit.h"

#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "coop/log.h"
#include "coop/signature.h"
#include "trace/squeeze.h"

#define MAX_SIGNATURE 1000
#define ZSTD_MAGIC "\x28\xb5\x2f\xfd"
#define MAX_DIGITS 15

_Static_assert(STORE_BUILD_BYTES == COOP_BUILD_BYTES, "a build is a build");

/* ---- where ---- */

static const char *behind(const char *text, const char *beginning)
{
	size_t n = strlen(beginning);

	return strncmp(text, beginning, n) ? NULL : text + n;
}

/* "/failures/12" and "/failures/12/bundle": one form for each number. */
static enum collect_route failure_route(const char *text, int64_t *id)
{
	int digits = 0;

	if (*text == '0')
		return COLLECT_NOWHERE;
	for (*id = 0; *text >= '0' && *text <= '9' && digits < MAX_DIGITS; text++, digits++)
		*id = *id * 10 + (*text - '0');
	if (!digits)
		return COLLECT_NOWHERE;
	if (!*text)
		return COLLECT_FAILURE;
	return strcmp(text, "/bundle") ? COLLECT_NOWHERE : COLLECT_BUNDLE;
}

void collect_route(const char *url, struct collect_target *to)
{
	static const struct {
		const char *url;
		enum collect_route route;
	} fixed[] = {{"/", COLLECT_PAGE},
		     {"/failures", COLLECT_FAILURES},
		     {"/metrics", COLLECT_METRICS},
		     {"/health", COLLECT_HEALTH}};
	const char *rest;

	*to = (struct collect_target){.route = COLLECT_NOWHERE};
	for (size_t i = 0; i < sizeof(fixed) / sizeof(fixed[0]); i++)
		if (!strcmp(url, fixed[i].url))
			to->route = fixed[i].route;
	if ((rest = behind(url, "/logs/")) && sha256_parse(rest, to->hash))
		to->route = COLLECT_LOG;
	if ((rest = behind(url, "/failures/")))
		to->route = failure_route(rest, &to->failure);
}

/* ---- what ---- */

/* One line that can be shown: UTF-8 without control characters. */
static bool is_line(const char *text)
{
	const unsigned char *p = (const unsigned char *)text;

	if (strlen(text) > MAX_SIGNATURE)
		return false;
	while (*p) {
		size_t n = utf8_length(p);

		if (!n || *p < ' ' || *p == 0x7f || (*p == 0xc2 && p[1] < 0xa0))
			return false;
		p += n;
	}
	return true;
}

/* A failing run says how it failed, in the words of a recording; a passing one does not. */
static int check_signature(const struct coop_log *l, struct err *e)
{
	struct trace_recording r = TRACE_RECORDING_INIT;
	int rc = 0;

	if (!is_line(l->signature))
		return err_set(e, ERR_FORMAT, "its failure is no line of text");
	if (l->outcome == COOP_OK)
		return *l->signature ? err_set(e, ERR_FORMAT, "a passing run with a failure") : 0;
	rc = coop_signature_parse(l->signature, &r, e);
	trace_recording_fini(&r);
	return rc;
}

static int check_log(const struct coop_log *l, const struct collect_sizes *sizes, struct err *e)
{
	if (l->elements > sizes->elements)
		return err_set(e, ERR_LIMIT, "more than %u elements", sizes->elements);
	if (l->threads.count > sizes->threads)
		return err_set(e, ERR_LIMIT, "more than %u threads", sizes->threads);
	if (l->vectors.count && l->vectors.items[0].provenance)
		return err_set(e, ERR_FORMAT, "a merged log, not one of a run");
	return check_signature(l, e);
}

static void take(struct collect_upload *u, struct coop_log *l)
{
	u->cover = xcalloc(1, ((size_t)l->elements + 7) / 8 + 1);
	for (size_t i = 0; i < l->vectors.count; i++)
		u->cover[l->vectors.items[i].element / 8] |=
			(uint8_t)(1 << l->vectors.items[i].element % 8);
	u->signature = l->signature;
	l->signature = NULL;
	memcpy(u->log.build, l->build, sizeof(u->log.build));
	u->log.outcome = l->outcome;
	u->log.elements = l->elements;
	u->log.signature = u->signature;
	u->log.cover = u->cover;
}

static int read_log(struct collect_upload *u, const struct strbuf *plain,
		    const struct collect_sizes *sizes, struct err *e)
{
	struct coop_log l = {0};
	uint8_t hash[SHA256_BYTES];
	int rc;

	sha256(plain->text, plain->length, hash);
	if (memcmp(hash, u->log.hash, sizeof(hash)) != 0)
		return err_set(e, ERR_MISMATCH, "the contents have another hash");
	rc = coop_log_decode(&l, plain->text, plain->length, e);
	if (rc)
		return rc;
	rc = check_log(&l, sizes, e);
	if (!rc)
		take(u, &l);
	coop_log_fini(&l);
	return rc;
}

static bool is_zstd(const void *bytes, size_t n)
{
	return n >= 4 && !memcmp(bytes, ZSTD_MAGIC, 4);
}

int collect_plain(const void *bytes, size_t n, const struct collect_sizes *sizes, struct strbuf *to,
		  struct err *e)
{
	if (is_zstd(bytes, n))
		return trace_unsqueeze(to, bytes, n, sizes->log, e);
	if (n > sizes->log)
		return err_set(e, ERR_LIMIT, "more than %zu bytes", sizes->log);
	strbuf_add_bytes(to, bytes, n);
	return 0;
}

int collect_admit(struct collect_upload *u, struct strbuf *body, const uint8_t hash[SHA256_BYTES],
		  const struct collect_sizes *sizes, struct err *e)
{
	struct strbuf plain = STRBUF_INIT;
	int rc;

	memcpy(u->log.hash, hash, SHA256_BYTES);
	if (!body->length)
		rc = err_set(e, ERR_FORMAT, "nothing was sent");
	else
		rc = collect_plain(body->text, body->length, sizes, &plain, e);
	if (!rc)
		rc = read_log(u, &plain, sizes, e);
	if (!rc && is_zstd(body->text, body->length)) {
		u->body = *body;
		*body = (struct strbuf)STRBUF_INIT;
	} else if (!rc) {
		trace_squeeze(&u->body, plain.text, plain.length);
	}
	u->log.bytes = u->body.text;
	u->log.n = u->body.length;
	strbuf_free(&plain);
	strbuf_free(body);
	if (rc)
		collect_upload_fini(u);
	return rc;
}

void collect_upload_fini(struct collect_upload *u)
{
	strbuf_free(&u->body);
	free(u->signature);
	free(u->cover);
	memset(u, 0, sizeof(*u));
}
