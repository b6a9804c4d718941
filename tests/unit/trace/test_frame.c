#include "unit.h"

#include "base/rng.h"
#include "trace/codec.h"
#include "trace/bundle/frame.h"
#include "trace/bundle/part.h"
#include "trace/bundle/upgrade.h"

static const struct trace_frame plain = {
	.type = TRACE_PART_NOTES, .version = TRACE_VERSION, .number = 7, .flags = TRACE_FRAME_LAST};

/* Decodes the one frame in b; the contents go to *raw, which the caller frees. */
static int decode(const struct strbuf *b, struct trace_frame *f, char **raw, struct err *e)
{
	const uint8_t *header = (const uint8_t *)b->text;
	int rc = trace_frame_header(f, header, e);

	if (rc)
		return rc;
	assert_int_equal(b->length, TRACE_FRAME_HEADER + f->stored_bytes);
	*raw = xmalloc(f->raw_bytes);
	rc = trace_frame_decode(f, header, header + TRACE_FRAME_HEADER, *raw, e);
	if (rc)
		free(*raw);
	return rc;
}

static void assert_round_trip(const void *contents, size_t n, bool compressed)
{
	struct strbuf b = STRBUF_INIT;
	struct err e = ERR_INIT;
	struct trace_frame f;
	char *raw;

	trace_frame_encode(&b, &plain, contents, n);
	assert_ok(decode(&b, &f, &raw, &e), e);
	assert_int_equal(f.raw_bytes, n);
	if (n)
		assert_memory_equal(raw, contents, n);
	assert_int_equal(f.type, TRACE_PART_NOTES);
	assert_int_equal(f.number, 7);
	assert_int_equal(f.flags, TRACE_FRAME_LAST | (compressed ? TRACE_FRAME_ZSTD : 0));
	free(raw);
	strbuf_free(&b);
}

static void contents_come_back(void **state)
{
	char *text = xmalloc(100000);
	struct rng r;

	assert_round_trip(NULL, 0, false);
	assert_round_trip("x", 1, false);
	rng_seed(&r, 3);
	for (size_t i = 0; i < 100000; i++)
		text[i] = (char)rng_next(&r);
	assert_round_trip(text, 100000, false);
	for (size_t i = 0; i < 100000; i++)
		text[i] = (char)('a' + rng_below(&r, 4));
	assert_round_trip(text, 100000, true);
	free(text);
}

static void too_good_compression_is_stored_plain(void **state)
{
	char *zeros = xcalloc(1, TRACE_FRAME_MAX);

	assert_round_trip(zeros, 10000, true);
	assert_round_trip(zeros, TRACE_FRAME_MAX, false);
	free(zeros);
}

/* Changes a field of a good frame's header and expects the error. */
static void assert_header_refused(size_t offset, uint64_t value, size_t bytes, int code)
{
	struct strbuf b = STRBUF_INIT;
	struct err e = ERR_INIT;
	struct trace_frame f;

	trace_frame_encode(&b, &plain, "hello", 5);
	memcpy(b.text + offset, &value, bytes);
	assert_error(trace_frame_header(&f, (const uint8_t *)b.text, &e), code, e);
	strbuf_free(&b);
}

static void bad_headers_are_refused(void **state)
{
	assert_header_refused(0, 0x12345678, 4, ERR_FORMAT);
	assert_header_refused(6, TRACE_VERSION + 1, 2, ERR_VERSION);
	assert_header_refused(6, 0, 2, ERR_FORMAT);
	assert_header_refused(12, 4, 4, ERR_FORMAT);
	assert_header_refused(16, 6, 8, ERR_FORMAT);		      /* plain, other length */
	assert_header_refused(16, TRACE_FRAME_MAX + 1, 8, ERR_LIMIT); /* bomb */
	assert_header_refused(16, UINT64_MAX, 8, ERR_LIMIT);
	assert_header_refused(16, 5 * 256 + (64 << 10) + 1, 8, ERR_LIMIT);
	assert_header_refused(24, UINT64_MAX, 8, ERR_LIMIT);
	assert_header_refused(24, TRACE_FRAME_MAX + 1, 8, ERR_LIMIT);
}

/* A frame whose checksum is right but whose length lies about what is compressed in it. */
static void lying_length_is_refused(void **state)
{
	char text[2000];
	struct err e = ERR_INIT;

	memset(text, 'a', sizeof(text));
	for (int delta = -1; delta <= 1; delta += 2) {
		struct strbuf b = STRBUF_INIT;
		struct trace_frame f;
		uint64_t checksum, length = (uint64_t)((int)sizeof(text) + delta);
		char *raw;

		trace_frame_encode(&b, &plain, text, sizeof(text));
		memcpy(b.text + 16, &length, 8);
		checksum = fs_hash(FS_HASH_START, b.text, 32);
		checksum = fs_hash(checksum, b.text + TRACE_FRAME_HEADER,
				   b.length - TRACE_FRAME_HEADER);
		memcpy(b.text + 32, &checksum, 8);
		assert_error(decode(&b, &f, &raw, &e), ERR_FORMAT, e);
		strbuf_free(&b);
	}
}

static void corrupted_contents_are_noticed(void **state)
{
	struct strbuf b = STRBUF_INIT;
	struct err e = ERR_INIT;
	struct trace_frame f;
	char *raw;

	trace_frame_encode(&b, &plain, "hello", 5);
	b.text[TRACE_FRAME_HEADER + 2] ^= 1;
	assert_error(decode(&b, &f, &raw, &e), ERR_CHECKSUM, e);
	assert_contains(e.text, "frame 7");
	strbuf_free(&b);
}

static void versions_are_told_apart(void **state)
{
	struct err e = ERR_INIT;

	assert_ok(trace_upgrade_check(1, &e), e);
	assert_error(trace_upgrade_check(0, &e), ERR_FORMAT, e);
	assert_error(trace_upgrade_check(99, &e), ERR_VERSION, e);
	assert_contains(e.text, "99");
}

/* Many frames that are each within the limits, but too much together. */
static void parts_have_a_limit_in_memory(void **state)
{
	char *dir = unit_scratch(), *chunk = xmalloc(TRACE_FRAME_MAX), *out;
	struct trace_manifest m = {.version = TRACE_VERSION};
	struct trace_part_out p;
	struct err e = ERR_INIT;
	size_t n;

	memset(chunk, 'n', TRACE_FRAME_MAX);
	/* notes may have 1 MiB. */
	assert_error(trace_part_write(dir, TRACE_PART_NOTES, chunk, (1 << 20) + 1, &m, &e),
		     ERR_LIMIT, e);
	assert_ok(trace_part_create(&p, dir, TRACE_PART_NOTES, &e), e);
	for (int i = 0; i < 17; i++)
		assert_ok(trace_part_frame(&p, chunk, 64 << 10, i == 16, &e), e);
	assert_ok(trace_part_finish(&p, &m, &e), e);
	assert_error(trace_part_read(dir, TRACE_PART_NOTES, &m, &out, &n, &e), ERR_LIMIT, e);
	assert_ok(fs_remove_flat_dir(dir, &e), e);
	free(chunk);
	free(dir);
}

/* Frames out of place, though each is in order by itself. */
static void frames_out_of_place_are_refused(void **state)
{
	char *dir = unit_scratch(), *path = fs_join(dir, "meta"), *out;
	static const struct {
		uint16_t type;
		uint32_t number, flags;
		int code;
	} cases[] = {
		{TRACE_PART_META, 0, TRACE_FRAME_LAST, 0},
		{TRACE_PART_NOTES, 0, TRACE_FRAME_LAST, ERR_FORMAT}, /* of another part */
		{TRACE_PART_META, 1, TRACE_FRAME_LAST, ERR_FORMAT},  /* the first is missing */
		{TRACE_PART_META, 0, 0, ERR_CHECKSUM},		     /* the last is missing */
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct trace_frame f = {
			cases[i].type, TRACE_VERSION, cases[i].number, cases[i].flags, 0, 0, 0};
		struct trace_manifest m = {.version = TRACE_VERSION};
		struct strbuf b = STRBUF_INIT;
		struct err e = ERR_INIT;
		size_t n;
		int rc;

		trace_frame_encode(&b, &f, "hello", 5);
		assert_ok(fs_write_file(path, b.text, b.length, &e), e);
		m.parts[TRACE_PART_META].bytes = b.length;
		m.parts[TRACE_PART_META].hash = fs_hash(FS_HASH_START, b.text, b.length);
		rc = trace_part_read(dir, TRACE_PART_META, &m, &out, &n, &e);
		assert_int_equal(rc, cases[i].code);
		if (!rc) {
			assert_int_equal(n, 5);
			free(out);
		}
		strbuf_free(&b);
	}
	fs_remove_flat_dir(dir, NULL);
	free(path);
	free(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(contents_come_back),
		cmocka_unit_test(too_good_compression_is_stored_plain),
		cmocka_unit_test(bad_headers_are_refused),
		cmocka_unit_test(lying_length_is_refused),
		cmocka_unit_test(corrupted_contents_are_noticed),
		cmocka_unit_test(versions_are_told_apart),
		cmocka_unit_test(parts_have_a_limit_in_memory),
		cmocka_unit_test(frames_out_of_place_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
