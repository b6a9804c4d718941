/* Recordings of heddle check --stable. */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "explore/nested/record.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct nested_record r = {.program = NULL};
	struct err e = ERR_INIT;
	char *text = xmalloc(n + 1);

	memcpy(text, data, n);
	text[n] = '\0';
	if (nested_record_parse(text, &r, &e) == 0) {
		assert(r.program && r.directory && r.arguments.items[0] && r.finding.failure.kind);
		for (size_t i = 0; i < r.finding.choices.count; i++)
			assert(r.finding.choices.items[i] < REDUCE_THREADS);
	} else {
		assert(e.code == ERR_FORMAT);
	}
	nested_record_fini(&r);
	free(text);
	return 0;
}
