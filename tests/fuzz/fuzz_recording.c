/* The contents of a recording's files: a byte chooses the part, the rest is its contents. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "trace/bundle/recording.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

/* A sequence of (part, 16-bit length, contents): later parts depend on earlier ones. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct trace_recording r = TRACE_RECORDING_INIT;
	struct err e = ERR_INIT;
	bool seen[64] = {false};
	int rc = 0;

	while (n >= 3 && !rc) {
		size_t part = data[0] % trace_recording_part_count, bytes = data[1] | data[2] << 8;
		struct strbuf again = STRBUF_INIT;

		data += 3;
		n -= 3;
		bytes = bytes < n ? bytes : n;
		if (seen[part])
			break;
		seen[part] = true;
		rc = trace_recording_parts[part].decode(&r, data, bytes, &e);
		if (!rc) {
			/* The encoding is unique. */
			trace_recording_parts[part].encode(&r, &again);
			if (again.length != bytes || (bytes && memcmp(again.text, data, bytes)))
				abort();
		}
		strbuf_free(&again);
		data += bytes;
		n -= bytes;
	}
	if (!rc)
		trace_recording_check(&r, &e);
	trace_recording_fini(&r);
	return 0;
}
