/* Schedules as text: what parses prints and parses to the same. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "model/schedule.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	char *text = n ? xstrndup((const char *)data, n) : NULL;
	struct model_schedule first = {.count = 0}, second = {.count = 0};
	struct strbuf printed = STRBUF_INIT;
	struct err e = ERR_INIT;

	if (n && model_schedule_parse(&first, text, &e) == 0 && first.count) {
		model_schedule_print(first.items, first.count, 60, &printed);
		if (model_schedule_parse(&second, printed.text, &e) ||
		    first.count != second.count ||
		    memcmp(first.items, second.items, first.count * sizeof(*first.items)))
			abort();
	}
	vec_free(&first);
	vec_free(&second);
	strbuf_free(&printed);
	free(text);
	return 0;
}
