/* The MANIFEST, as it is and with its checksum put right. */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fs.h"
#include "base/mem.h"
#include "trace/bundle/manifest.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

/* What is accepted must come out again as it went in, except for parts we do not know. */
static void check_stable(const struct trace_manifest *m)
{
	struct strbuf text = STRBUF_INIT;
	struct trace_manifest again;
	struct err e = ERR_INIT;

	trace_manifest_encode(m, &text);
	if (trace_manifest_decode(&again, text.text, text.length, &e) ||
	    memcmp(m->parts, again.parts, sizeof(again.parts)))
		abort();
	strbuf_free(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	char *text = xmalloc(n + 1);
	struct trace_manifest m;
	struct err e = ERR_INIT;

	memcpy(text, data, n);
	text[n] = '\0';
	if (trace_manifest_decode(&m, text, n, &e) == 0)
		check_stable(&m);
	if (n >= 21 && !memcmp(text + n - 21, "end ", 4)) {
		snprintf(text + n - 17, 18, "%016" PRIx64 "\n",
			 fs_hash(FS_HASH_START, text, n - 21));
		if (trace_manifest_decode(&m, text, n, &e) == 0)
			check_stable(&m);
	}
	free(text);
	return 0;
}
