/* The file of a cache of schedules; the checksum, which nobody guesses, is put right first. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/sha256.h"
#include "memo/file.h"

#define CHECKSUM_AT 56
#define HEADER_BYTES 88

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void look(void *arg, const struct memo_plan *plan)
{
	static char *const argv[] = {(char *)"program", (char *)"12", (char *)"-3", NULL};
	const struct memo_given given = {.argc = 3, .argv = argv};
	struct strbuf *text = arg;

	for (uint32_t i = 0; i < plan->count; i++) {
		(void)memo_terms_hold(&plan->path[i]->conditions, &given);
		strbuf_clear(text);
		memo_terms_print(&plan->path[i]->conditions, text);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct strbuf text = STRBUF_INIT;
	struct memo_cache c, again;
	struct err e = ERR_INIT;
	uint8_t *copy = xmalloc(n + 1);

	memcpy(copy, data, n);
	if (n >= HEADER_BYTES) {
		memset(copy + CHECKSUM_AT, 0, SHA256_BYTES);
		sha256(copy, n, copy + CHECKSUM_AT);
	}
	if (memo_file_parse(copy, n, &c, &e) == 0) {
		memo_cache_each(&c, look, &text);
		/* What was read can be written, and is read again. */
		strbuf_clear(&text);
		memo_file_put(&c, &text);
		if (memo_file_parse(text.text, text.length, &again, &e) != 0)
			abort();
		memo_cache_free(&again);
		memo_cache_free(&c);
	}
	strbuf_free(&text);
	free(copy);
	return 0;
}
