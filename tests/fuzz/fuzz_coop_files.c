/*
 * What else heddle coop reads: tables of elements, logging profiles, lines that describe a failure.
 * The first byte says which.
 */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "coop/elements.h"
#include "coop/profile_file.h"
#include "coop/signature.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void profile(const char *text)
{
	struct coop_profile p = {.elements = 0}, q = {.elements = 0};
	struct strbuf again = STRBUF_INIT;
	struct err e = ERR_INIT;

	if (!coop_profile_parse(&p, text, &e)) {
		coop_profile_text(&p, &again);
		assert(!coop_profile_parse(&q, again.text, &e));
		assert(q.chosen.count == p.chosen.count && q.elements == p.elements);
	}
	strbuf_free(&again);
	coop_profile_fini(&p);
	coop_profile_fini(&q);
}

static void signature(const char *text)
{
	struct trace_recording r = TRACE_RECORDING_INIT;
	struct strbuf line = STRBUF_INIT;
	struct err e = ERR_INIT;

	if (!coop_signature_parse(text, &r, &e))
		coop_signature_make(&r, &line);
	coop_signature_say(text, &line);
	strbuf_free(&line);
	trace_recording_fini(&r);
}

static void table(const char *bytes, size_t n)
{
	struct coop_elements x = {.names = VEC_INIT};
	struct err e = ERR_INIT;

	if (!coop_elements_parse(&x, bytes, n, &e))
		coop_elements_fini(&x);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	char *text;

	if (n == 0)
		return 0;
	text = malloc(n);
	memcpy(text, data + 1, n - 1);
	text[n - 1] = '\0';
	if (data[0] % 3 == 0)
		profile(text);
	else if (data[0] % 3 == 1)
		signature(text);
	else
		table(text, n - 1);
	free(text);
	return 0;
}
