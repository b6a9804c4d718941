#include "trace/bundle/frame.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "base/fs.h"
#include "base/mem.h"
#include "trace/codec.h"
#include "trace/bundle/upgrade.h"

#define COMPRESSION_LEVEL 3

static uint64_t largest_raw(uint64_t stored)
{
	return stored * TRACE_FRAME_RATIO + TRACE_FRAME_SLACK;
}

/* Compresses into a new buffer; NULL when storing plain is shorter or required by the limit. */
static void *compress(const void *raw, size_t n, size_t *stored)
{
	size_t capacity = ZSTD_compressBound(n);
	void *buffer = xmalloc(capacity);

	*stored = ZSTD_compress(buffer, capacity, raw, n, COMPRESSION_LEVEL);
	if (!ZSTD_isError(*stored) && *stored < n && n <= largest_raw(*stored))
		return buffer;
	free(buffer);
	return NULL;
}

void trace_frame_encode(struct strbuf *b, const struct trace_frame *f, const void *raw, size_t n)
{
	size_t stored = n, start = b->length;
	void *compressed;
	uint64_t checksum;

	assert(n <= TRACE_FRAME_MAX);
	compressed = n ? compress(raw, n, &stored) : NULL;
	if (!compressed)
		stored = n;
	trace_put_u32(b, TRACE_FRAME_MAGIC);
	trace_put_u16(b, f->type);
	trace_put_u16(b, f->version);
	trace_put_u32(b, f->number);
	trace_put_u32(b, f->flags | (compressed ? TRACE_FRAME_ZSTD : 0));
	trace_put_u64(b, n);
	trace_put_u64(b, stored);
	checksum = fs_hash(FS_HASH_START, b->text + start, b->length - start);
	checksum = fs_hash(checksum, compressed ? compressed : raw, stored);
	trace_put_u64(b, checksum);
	strbuf_add_bytes(b, compressed ? compressed : raw, stored);
	free(compressed);
}

int trace_frame_header(struct trace_frame *f, const uint8_t *header, struct err *e)
{
	uint64_t raw = trace_load_u64(header + 16), stored = trace_load_u64(header + 24);
	int rc;

	if (trace_load_u32(header) != TRACE_FRAME_MAGIC)
		return err_set(e, ERR_FORMAT, "not a frame of a bundle");
	f->type = trace_load_u16(header + 4);
	f->version = trace_load_u16(header + 6);
	f->number = trace_load_u32(header + 8);
	f->flags = trace_load_u32(header + 12);
	f->checksum = trace_load_u64(header + 32);
	rc = trace_upgrade_check(f->version, e);
	if (rc)
		return rc;
	if (f->flags & ~(uint32_t)(TRACE_FRAME_ZSTD | TRACE_FRAME_LAST))
		return err_set(e, ERR_FORMAT, "unknown frame flags 0x%x", f->flags);
	if (raw > TRACE_FRAME_MAX || stored > TRACE_FRAME_MAX || raw > largest_raw(stored))
		return err_set(e, ERR_LIMIT, "frame with impossible lengths");
	if (!(f->flags & TRACE_FRAME_ZSTD) && raw != stored)
		return err_set(e, ERR_FORMAT, "frame with contradicting lengths");
	f->raw_bytes = (uint32_t)raw;
	f->stored_bytes = (uint32_t)stored;
	return 0;
}

int trace_frame_decode(const struct trace_frame *f, const uint8_t *header, const void *stored,
		       void *raw, struct err *e)
{
	uint64_t checksum = fs_hash(FS_HASH_START, header, TRACE_FRAME_HEADER - 8);
	size_t n;

	if (fs_hash(checksum, stored, f->stored_bytes) != f->checksum)
		return err_set(e, ERR_CHECKSUM, "corrupted: checksum of frame %u differs",
			       f->number);
	if (!(f->flags & TRACE_FRAME_ZSTD)) {
		if (f->raw_bytes)
			memcpy(raw, stored, f->raw_bytes);
		return 0;
	}
	n = ZSTD_decompress(raw, f->raw_bytes, stored, f->stored_bytes);
	if (ZSTD_isError(n) || n != f->raw_bytes)
		return err_set(e, ERR_FORMAT, "frame %u does not decompress to its length",
			       f->number);
	return 0;
}
