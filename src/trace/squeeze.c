#include "trace/squeeze.h"

#include <assert.h>
#include <stdlib.h>
#include <zstd.h>

#include "base/mem.h"

#define LEVEL 3
#define CHUNK ((size_t)64 << 10)
#define WINDOW_LOG_MIN 10 /* the least that zstd knows */
#define WINDOW_LOG_MAX 27

void trace_squeeze(struct strbuf *to, const void *bytes, size_t n)
{
	size_t capacity = ZSTD_compressBound(n), made;
	char *buffer = xmalloc(capacity);

	made = ZSTD_compress(buffer, capacity, bytes, n, LEVEL);
	assert(!ZSTD_isError(made));
	strbuf_add_bytes(to, buffer, made);
	free(buffer);
}

static int window_log(size_t max)
{
	int log = WINDOW_LOG_MIN;

	while (log < WINDOW_LOG_MAX && (size_t)1 << log < max)
		log++;
	return log;
}

int trace_unsqueeze(struct strbuf *to, const void *bytes, size_t n, size_t max, struct err *e)
{
	ZSTD_DCtx *context = ZSTD_createDCtx();
	ZSTD_inBuffer in = {bytes, n, 0};
	char *chunk = xmalloc(CHUNK);
	size_t made = 0, left = 1;
	int rc = 0;

	assert(context);
	ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, window_log(max));
	while (!rc && left) {
		ZSTD_outBuffer out = {chunk, CHUNK, 0};
		size_t before = in.pos;

		left = ZSTD_decompressStream(context, &out, &in);
		if (ZSTD_isError(left))
			rc = err_set(e, ERR_FORMAT, "damaged zstd data: %s",
				     ZSTD_getErrorName(left));
		else if (out.pos > max - made)
			rc = err_set(e, ERR_LIMIT, "more than %zu bytes when decompressed", max);
		else if (left && !out.pos && in.pos == before)
			rc = err_set(e, ERR_FORMAT, "zstd data that end too early");
		if (!rc)
			strbuf_add_bytes(to, chunk, out.pos);
		made += rc ? 0 : out.pos;
	}
	if (!rc && in.pos != n)
		rc = err_set(e, ERR_FORMAT, "bytes behind the zstd data");
	ZSTD_freeDCtx(context);
	free(chunk);
	return rc;
}
