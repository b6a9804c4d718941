/*
 * Writes the seed corpora: what the writer itself makes of the sample bundle of the unit tests.
 * Usage: seeds DIR; a directory per target is made below it.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/fs.h"
#include "model/schedule.h"
#include "support_bundle.h"
#include "support_recording.h"
#include "trace/codec.h"
#include "trace/bundle/frame.h"
#include "trace/bundle/manifest.h"
#include "trace/bundle/records.h"
#include "trace/bundle/upgrade.h"

static const char *root;

static void save(const char *target, const char *name, const struct strbuf *b)
{
	char *dir = fs_join(root, target), *path = fs_join(dir, name);
	struct err e = ERR_INIT;

	if (fs_make_dirs(dir, &e) || fs_write_file(path, b->text, b->length, &e)) {
		fprintf(stderr, "seeds: %s\n", e.text);
		exit(1);
	}
	free(path);
	free(dir);
}

/* Appends contents to the sequence that fuzz_records reads, and saves them alone as well. */
static void add_record(struct strbuf *all, unsigned part, const struct strbuf *raw)
{
	struct strbuf one = STRBUF_INIT;

	trace_put_u8(&one, (uint8_t)part);
	trace_put_u16(&one, (uint16_t)raw->length);
	strbuf_add_bytes(&one, raw->text, raw->length);
	strbuf_add_bytes(all, one.text, one.length);
	save("fuzz_records", trace_manifest_part_name(part), &one);
	strbuf_free(&one);
}

static void encode_meta(const struct trace_bundle *b, struct strbuf *to)
{
	trace_meta_encode(&b->meta, to);
}

static void encode_events(const struct trace_bundle *b, struct strbuf *to)
{
	for (size_t i = 0; i < b->events.count; i++) {
		uint8_t bytes[TRACE_EVENT_BYTES];

		trace_event_encode(&b->events.items[i], bytes);
		strbuf_add_bytes(to, bytes, sizeof(bytes));
	}
}

static void save_records(const struct trace_bundle *b)
{
	static const struct {
		unsigned part;
		void (*encode)(const struct trace_bundle *b, struct strbuf *to);
	} parts[] = {
		{TRACE_PART_META, encode_meta},
		{TRACE_PART_SCHEDULE, trace_schedule_encode},
		{TRACE_PART_EVENTS, encode_events},
		{TRACE_PART_THREADS, trace_threads_encode},
		{TRACE_PART_FAILURE, trace_failure_encode},
		{TRACE_PART_NOTES, trace_notes_encode},
		{TRACE_PART_OUTPUT, trace_output_encode},
		{TRACE_PART_COUNTERS, trace_counters_encode},
	};
	struct strbuf all = STRBUF_INIT, raw = STRBUF_INIT, frame = STRBUF_INIT;

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		struct trace_frame f = {.type = (uint16_t)parts[i].part,
					.version = TRACE_VERSION,
					.flags = TRACE_FRAME_LAST};

		strbuf_clear(&raw);
		strbuf_clear(&frame);
		parts[i].encode(b, &raw);
		add_record(&all, parts[i].part, &raw);
		trace_frame_encode(&frame, &f, raw.text, raw.length);
		save("fuzz_frame", trace_manifest_part_name(parts[i].part), &frame);
		if (parts[i].part == TRACE_PART_META)
			save("fuzz_meta", "meta", &raw);
	}
	save("fuzz_records", "all", &all);
	strbuf_free(&all);
	strbuf_free(&raw);
	strbuf_free(&frame);
}

static void save_tables(const struct trace_bundle *b)
{
	struct strbuf text = STRBUF_INIT;

	trace_put_u8(&text, 1);
	trace_sites_encode(&b->sites, &text);
	save("fuzz_sites", "sites", &text);
	strbuf_clear(&text);
	trace_put_u8(&text, 0);
	trace_symbols_encode(&b->symbols, &text);
	save("fuzz_sites", "symbols", &text);
	strbuf_clear(&text);
	model_schedule_print(b->schedule.items, b->schedule.count, 40, &text);
	save("fuzz_schedule", "sample", &text);
	strbuf_free(&text);
}

static void save_manifest(void)
{
	struct trace_manifest m = {.version = TRACE_VERSION};
	struct strbuf text = STRBUF_INIT;

	for (unsigned i = 1; i < TRACE_PART_MAX; i++) {
		m.parts[i].present = true;
		m.parts[i].bytes = i * 1000;
		m.parts[i].hash = i * UINT64_C(0x123456789);
	}
	trace_manifest_encode(&m, &text);
	save("fuzz_manifest", "all", &text);
	strbuf_free(&text);
}

/* All parts of a recording one after the other, as fuzz_recording reads them. */
static void save_recording(void)
{
	struct trace_recording r = TRACE_RECORDING_INIT;
	struct strbuf all = STRBUF_INIT, raw = STRBUF_INIT;

	support_recording_fill(&r);
	for (size_t i = 0; i < trace_recording_part_count; i++) {
		strbuf_clear(&raw);
		trace_recording_parts[i].encode(&r, &raw);
		trace_put_u8(&all, (uint8_t)i);
		trace_put_u16(&all, (uint16_t)raw.length);
		strbuf_add_bytes(&all, raw.text, raw.length);
	}
	save("fuzz_recording", "all", &all);
	trace_recording_fini(&r);
	strbuf_free(&raw);
	strbuf_free(&all);
}

int main(int argc, char **argv)
{
	struct trace_bundle b = TRACE_BUNDLE_INIT;

	if (argc != 2) {
		fprintf(stderr, "usage: seeds DIR\n");
		return 2;
	}
	root = argv[1];
	support_bundle_fill(&b);
	save_records(&b);
	save_tables(&b);
	save_manifest();
	save_recording();
	trace_bundle_fini(&b);
	return 0;
}
