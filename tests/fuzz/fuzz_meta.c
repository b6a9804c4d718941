/* The contents of "meta". */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "trace/bundle/meta.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct trace_meta m = {.tool_version = NULL};
	struct strbuf again = STRBUF_INIT;
	struct err e = ERR_INIT;

	if (trace_meta_decode(&m, data, n, &e) == 0) {
		/* The encoding is unique: what decodes encodes to the same bytes. */
		trace_meta_encode(&m, &again);
		if (again.length != n || memcmp(again.text, data, n))
			abort();
		trace_meta_site_count(&m);
	}
	trace_meta_fini(&m);
	strbuf_free(&again);
	return 0;
}
