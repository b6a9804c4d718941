/*
 * Partial logs: what is read is written again as it was.  The checksum at the end is put right
 * here, so that what lies behind it is reached.
 */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "coop/log.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static uint32_t checksum(const uint8_t *p, size_t n)
{
	uint32_t crc = UINT32_MAX;

	for (size_t bit = 0; bit < n * 8; bit++) {
		uint32_t in = p[bit / 8] >> bit % 8 & 1;

		crc = (crc ^ in) & 1 ? crc >> 1 ^ 0x82f63b78u : crc >> 1;
	}
	return ~crc;
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
	size_t n = size + 4;
	uint8_t *data = malloc(n);
	uint32_t crc = checksum(input, size);
	struct strbuf again = STRBUF_INIT, text = STRBUF_INIT;
	struct coop_log l = {0};
	struct err e = ERR_INIT;

	memcpy(data, input, size);
	memcpy(data + size, &crc, 4);
	if (coop_log_decode(&l, data, n, &e) == 0) {
		coop_log_encode(&l, &again);
		if (l.vectors.count)
			assert(again.length == n && !memcmp(again.text, data, n));
		coop_log_text(&l, NULL, &text);
		coop_log_fini(&l);
	}
	strbuf_free(&again);
	strbuf_free(&text);
	free(data);
	return 0;
}
