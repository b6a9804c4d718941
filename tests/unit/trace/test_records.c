/*
 * The contents of the parts, below frames and checksums: what a writer with a bug, or somebody who
 * computes checksums, could hand us.
 */
#include "unit.h"

#include "support_bundle.h"
#include "trace/bundle/records.h"
#include "trace/bundle/validate.h"

static void encode_meta(const struct trace_bundle *b, struct strbuf *to)
{
	trace_meta_encode(&b->meta, to);
}

static int decode_meta(struct trace_bundle *b, const void *bytes, size_t n, struct err *e)
{
	return trace_meta_decode(&b->meta, bytes, n, e);
}

static void encode_sites(const struct trace_bundle *b, struct strbuf *to)
{
	trace_sites_encode(&b->sites, to);
}

static int decode_sites(struct trace_bundle *b, const void *bytes, size_t n, struct err *e)
{
	return trace_sites_decode(&b->sites, bytes, n, e);
}

static void encode_symbols(const struct trace_bundle *b, struct strbuf *to)
{
	trace_symbols_encode(&b->symbols, to);
}

static int decode_symbols(struct trace_bundle *b, const void *bytes, size_t n, struct err *e)
{
	return trace_symbols_decode(&b->symbols, bytes, n, e);
}

static const struct {
	void (*encode)(const struct trace_bundle *b, struct strbuf *to);
	int (*decode)(struct trace_bundle *b, const void *bytes, size_t n, struct err *e);
} parts[] = {
	{encode_meta, decode_meta},
	{trace_schedule_encode, trace_schedule_decode},
	{trace_threads_encode, trace_threads_decode},
	{trace_failure_encode, trace_failure_decode},
	{encode_sites, decode_sites},
	{encode_symbols, decode_symbols},
	{trace_notes_encode, trace_notes_decode},
	{trace_output_encode, trace_output_decode},
	{trace_counters_encode, trace_counters_decode},
};
#define PARTS (sizeof(parts) / sizeof(parts[0]))

static struct trace_bundle sample;

static int setup(void **state)
{
	support_bundle_fill(&sample);
	return 0;
}

static int teardown(void **state)
{
	trace_bundle_fini(&sample);
	return 0;
}

/* Decodes bytes as part i of an otherwise empty bundle; an exact copy makes overruns visible. */
static int decode_copy(size_t i, const char *bytes, size_t n, struct trace_bundle *b)
{
	char *copy = xmalloc(n);
	struct err e = ERR_INIT;
	int rc;

	memcpy(copy, bytes, n);
	rc = parts[i].decode(b, copy, n, &e);
	if (rc) {
		assert_int_equal(rc, ERR_FORMAT);
		assert_true(e.text[0] != '\0');
	}
	free(copy);
	return rc;
}

static void all_parts_come_back(void **state)
{
	struct trace_bundle back = TRACE_BUNDLE_INIT;

	for (size_t i = 0; i < PARTS; i++) {
		struct strbuf raw = STRBUF_INIT;

		parts[i].encode(&sample, &raw);
		assert_int_equal(decode_copy(i, raw.text, raw.length, &back), 0);
		strbuf_free(&raw);
	}
	for (size_t i = 0; i < sample.events.count; i++) {
		uint8_t bytes[TRACE_EVENT_BYTES];
		struct wire_event event;

		trace_event_encode(&sample.events.items[i], bytes);
		trace_event_decode(&event, bytes);
		vec_push(&back.events, event);
	}
	support_bundle_assert_equal(&sample, &back);
	trace_bundle_fini(&back);
}

static void shortened_contents_are_refused(void **state)
{
	for (size_t i = 0; i < PARTS; i++) {
		struct strbuf raw = STRBUF_INIT;

		parts[i].encode(&sample, &raw);
		for (size_t n = 0; n < raw.length; n++) {
			struct trace_bundle back = TRACE_BUNDLE_INIT;
			int rc = decode_copy(i, raw.text, n, &back);

			/* A schedule may end after any choice. */
			if (rc == 0)
				assert_int_equal(n % TRACE_CHOICE_BYTES, 0);
			trace_bundle_fini(&back);
		}
		strbuf_free(&raw);
	}
}

/* Every byte set to every value: an error or something that can be looked at without harm. */
static void changed_contents_do_no_harm(void **state)
{
	for (size_t i = 0; i < PARTS; i++) {
		struct strbuf raw = STRBUF_INIT;

		parts[i].encode(&sample, &raw);
		for (size_t at = 0; at < raw.length; at++) {
			char kept = raw.text[at];

			for (int value = 0; value < 256; value++) {
				struct trace_bundle back = TRACE_BUNDLE_INIT;

				raw.text[at] = (char)value;
				if (decode_copy(i, raw.text, raw.length, &back) == 0) {
					struct strbuf again = STRBUF_INIT;

					parts[i].encode(&back, &again);
					trace_validate_parts(&back, NULL);
					strbuf_free(&again);
				}
				trace_bundle_fini(&back);
			}
			raw.text[at] = kept;
		}
		strbuf_free(&raw);
	}
}

static void unknown_counters_are_passed_over(void **state)
{
	static const char bytes[] = "\x02\0\0\0"
				    "\x07\0\0\0nonsens\x01\0\0\0\0\0\0\0"
				    "\x05\0\0\0steps\x2a\0\0\0\0\0\0\0";
	struct trace_bundle back = TRACE_BUNDLE_INIT;
	struct err e = ERR_INIT;

	assert_ok(trace_counters_decode(&back, bytes, sizeof(bytes) - 1, &e), e);
	assert_int_equal(back.counters.steps, 42);
	trace_bundle_fini(&back);
}

/* The encoders name every field; a changed struct must be noticed here (and raise a version). */
static void layouts_are_the_ones_the_encoders_know(void **state)
{
	assert_int_equal(sizeof(struct wire_thread), 192);
	assert_int_equal(sizeof(struct wire_failure), 408);
	assert_int_equal(sizeof(struct wire_event), TRACE_EVENT_BYTES);
	assert_int_equal(sizeof(struct wire_choice), TRACE_CHOICE_BYTES);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_parts_come_back),
		cmocka_unit_test(shortened_contents_are_refused),
		cmocka_unit_test(changed_contents_do_no_harm),
		cmocka_unit_test(unknown_counters_are_passed_over),
		cmocka_unit_test(layouts_are_the_ones_the_encoders_know),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
