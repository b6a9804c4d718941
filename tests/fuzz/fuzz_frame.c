/*
 * One frame: header, limits, decompression.  The checksum is put right first, for a fuzzer cannot
 * guess it and everything behind it would stay untested.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/fs.h"
#include "base/mem.h"
#include "trace/bundle/frame.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	uint8_t header[TRACE_FRAME_HEADER];
	const uint8_t *stored = data + TRACE_FRAME_HEADER;
	struct trace_frame f;
	struct err e = ERR_INIT;
	char *raw;

	if (n < TRACE_FRAME_HEADER)
		return 0;
	memcpy(header, data, sizeof(header));
	if (trace_frame_header(&f, header, &e) || f.stored_bytes > n - TRACE_FRAME_HEADER)
		return 0;
	f.checksum = fs_hash(FS_HASH_START, header, TRACE_FRAME_HEADER - 8);
	f.checksum = fs_hash(f.checksum, stored, f.stored_bytes);
	raw = xmalloc(f.raw_bytes);
	if (trace_frame_decode(&f, header, stored, raw, &e) == 0)
		fs_hash(FS_HASH_START, raw, f.raw_bytes);
	free(raw);
	return 0;
}
