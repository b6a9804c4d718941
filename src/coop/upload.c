#include "coop/upload.h"

#include <inttypes.h>
#include <string.h>

#include "trace/squeeze.h"

int coop_upload_read(struct coop_upload *u, const char *path, struct err *e)
{
	uint8_t hash[SHA256_BYTES];
	int rc = coop_log_read(path, &u->log, e);

	if (rc)
		return rc;
	coop_log_encode(&u->log, &u->plain);
	sha256(u->plain.text, u->plain.length, hash);
	sha256_text(hash, u->hash);
	trace_squeeze(&u->body, u->plain.text, u->plain.length);
	return 0;
}

void coop_upload_fini(struct coop_upload *u)
{
	coop_log_fini(&u->log);
	strbuf_free(&u->plain);
	strbuf_free(&u->body);
	memset(u, 0, sizeof(*u));
}

void coop_upload_text(const struct coop_upload *u, const char *url, struct strbuf *to)
{
	strbuf_addf(to, "PUT %s/logs/%s\n", url, u->hash);
	strbuf_addf(to, "%zu bytes, %zu compressed; in them:\nbuild ", u->plain.length,
		    u->body.length);
	for (unsigned i = 0; i < COOP_BUILD_BYTES; i++)
		strbuf_addf(to, "%02x", u->log.build[i]);
	strbuf_addf(to, "\ntime %" PRIu64 ".%09" PRIu64 "\n", u->log.time_ns / 1000000000,
		    u->log.time_ns % 1000000000);
	coop_log_text(&u->log, NULL, to);
}

bool coop_upload_sampled(const struct coop_upload *u, unsigned percent)
{
	uint8_t hash[SHA256_BYTES] = {0};

	if (u->log.outcome != COOP_OK)
		return true;
	sha256_parse(u->hash, hash);
	return (hash[0] << 16 | hash[1] << 8 | hash[2]) % 100 < (int)percent;
}
