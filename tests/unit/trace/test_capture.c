/* From a control block, honest or not, to a bundle. */
#include "unit.h"

#include "trace/bundle/capture.h"
#include "trace/bundle/meta.h"
#include "trace/bundle/validate.h"

/* This program is the one instrumented module: one site. */
__asm__(".pushsection heddle_strs,\"a\",@progbits\n"
	"1: .asciz \"prog.c\"\n"
	".popsection\n"
	".pushsection heddle_sites,\"a\",@progbits\n"
	"2: .long 1b - 2b, 0, 0, 0, 3\n"
	".short 0\n.byte 1, 4\n.long 0, 0\n"
	".popsection\n");

struct block {
	struct wire_ctl ctl;
	struct wire_choice choices[4];
	struct wire_event events[4];
};

static struct block *block;

static int setup(void **state)
{
	struct wire_ctl *c;

	block = xcalloc(1, sizeof(*block));
	c = &block->ctl;
	c->magic = WIRE_MAGIC;
	c->version = WIRE_LAYOUT;
	c->bytes = sizeof(*block);
	c->choices.offset = offsetof(struct block, choices);
	c->choices.bytes = sizeof(block->choices);
	c->events.offset = offsetof(struct block, events);
	c->events.bytes = sizeof(block->events);
	c->job.model = MODEL_SC;
	c->job.max_steps = 1000;
	c->result.engine = ENGINE_FORK;
	c->result.seed = 5;
	c->result.outcome = OUTCOME_CLEAN;
	c->result.threads = 1;
	c->result.choice_count = 1;
	c->result.event_count = 2;
	c->threads[0] = (struct wire_thread){.parent = THREAD_NONE,
					     .state = THREAD_FINISHED,
					     .pending_site = SITE_NONE,
					     .create_site = SITE_NONE,
					     .waits_for = THREAD_NONE};
	block->choices[0] = (struct wire_choice){CHOICE_RUN, 0, 0, 2};
	block->events[0] = (struct wire_event){.kind = EVENT_READ, .size = 4};
	block->events[1] = (struct wire_event){.kind = EVENT_EXIT, .tix = 1, .site = SITE_NONE};
	c->module_count = 1;
	c->modules[0].sites_count = 1;
	strcpy(c->modules[0].path, "/proc/self/exe");
	c->note_count = 1;
	strcpy(c->notes[0], "a note");
	return 0;
}

static int teardown(void **state)
{
	free(block);
	return 0;
}

static void an_honest_block_becomes_a_valid_bundle(void **state)
{
	struct trace_bundle b = TRACE_BUNDLE_INIT;
	struct err e = ERR_INIT;

	assert_ok(trace_capture(&b, &block->ctl, sizeof(*block), false, &e), e);
	assert_ok(trace_validate_parts(&b, &e), e);
	assert_int_equal(b.events.count, 2);
	assert_int_equal(b.schedule.count, 1);
	assert_int_equal(b.meta.seed, 5);
	assert_int_equal(b.meta.engine, ENGINE_FORK);
	assert_int_equal(b.sites.count, 1);
	assert_string_equal(b.sites.items[0].file, "prog.c");
	assert_int_equal(b.meta.modules.count, 1);
	assert_true(b.meta.modules.items[0].file.bytes > 0);
	assert_string_equal(b.notes.items[0], "a note");
	trace_bundle_fini(&b);
}

static void sites_nobody_mentions_are_left_out(void **state)
{
	struct trace_bundle b = TRACE_BUNDLE_INIT;
	struct err e = ERR_INIT;

	block->events[0].site = SITE_NONE;
	assert_ok(trace_capture(&b, &block->ctl, sizeof(*block), false, &e), e);
	assert_int_equal(b.sites.count, 0);
	trace_bundle_fini(&b);
	assert_ok(trace_capture(&b, &block->ctl, sizeof(*block), true, &e), e);
	assert_int_equal(b.sites.count, 1);
	trace_bundle_fini(&b);
}

static void a_dishonest_block_is_clamped(void **state)
{
	struct wire_ctl *c = &block->ctl;
	struct trace_bundle b = TRACE_BUNDLE_INIT;
	struct err e = ERR_INIT;

	c->result.choice_count = UINT64_MAX;
	c->result.event_count = UINT64_MAX;
	c->result.threads = UINT32_MAX;
	c->note_count = UINT32_MAX;
	memset(c->notes[0], 'n', sizeof(c->notes[0]));
	memset(c->threads[0].name, 't', sizeof(c->threads[0].name));
	c->threads[0].held_count = 255;
	c->result.outcome = OUTCOME_FAILURE;
	memset(&c->result.failure, 0xff, sizeof(c->result.failure));
	memset(c->result.reason, 'r', sizeof(c->result.reason));
	c->events.bytes = UINT64_MAX;
	assert_ok(trace_capture(&b, c, sizeof(*block), false, &e), e);
	assert_int_equal(b.schedule.count, 4);
	assert_int_equal(b.events.count, 0); /* its area does not lie in the block */
	assert_int_equal(b.threads.count, WIRE_MAX_THREADS);
	assert_int_equal(b.notes.count, WIRE_MAX_NOTES);
	assert_int_equal(strlen(b.notes.items[0]), WIRE_NOTE_BYTES);
	/* Safe to hold, but not a bundle. */
	assert_error(trace_validate_parts(&b, &e), ERR_FORMAT, e);
	trace_bundle_fini(&b);
}

static void damaged_blocks_and_modules_are_errors(void **state)
{
	struct trace_bundle b = TRACE_BUNDLE_INIT;
	struct err e = ERR_INIT;

	assert_error(trace_capture(&b, &block->ctl, 100, false, &e), ERR_GUEST, e);
	block->ctl.modules[0].sites_count = UINT64_MAX;
	assert_error(trace_capture(&b, &block->ctl, sizeof(*block), false, &e), ERR_GUEST, e);
	block->ctl.modules[0].sites_count = 2;
	assert_error(trace_capture(&b, &block->ctl, sizeof(*block), false, &e), ERR_MISMATCH, e);
	for (size_t i = 0; i < sizeof(block->ctl.modules[0].path); i++)
		block->ctl.modules[0].path[i] = "p/"[i % 2];
	assert_error(trace_capture(&b, &block->ctl, sizeof(*block), false, &e), ERR_IO, e);
	block->ctl.magic++;
	assert_error(trace_capture(&b, &block->ctl, sizeof(*block), false, &e), ERR_GUEST, e);
	assert_int_equal(b.events.count, 0);
}

static void changed_binaries_are_noticed(void **state)
{
	char *dir = unit_scratch(), *path = fs_join(dir, "prog");
	struct trace_file_id id;
	struct err e = ERR_INIT;

	assert_ok(fs_write_file(path, "one", 3, &e), e);
	assert_ok(trace_file_id_get(&id, path, &e), e);
	assert_ok(trace_file_id_check(&id, &e), e);
	assert_ok(fs_write_file(path, "two", 3, &e), e);
	assert_error(trace_file_id_check(&id, &e), ERR_MISMATCH, e);
	assert_contains(e.text, "other contents");
	assert_ok(fs_write_file(path, "three", 5, &e), e);
	assert_error(trace_file_id_check(&id, &e), ERR_MISMATCH, e);
	assert_contains(e.text, "5 bytes");
	unlink(path);
	assert_error(trace_file_id_check(&id, &e), ERR_NOT_FOUND, e);
	trace_file_id_fini(&id);
	assert_error(trace_file_id_check(&id, &e), ERR_NOT_FOUND, e);
	rmdir(dir);
	free(path);
	free(dir);
}

#define test(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(an_honest_block_becomes_a_valid_bundle),
		test(sites_nobody_mentions_are_left_out),
		test(a_dishonest_block_is_clamped),
		test(damaged_blocks_and_modules_are_errors),
		test(changed_binaries_are_noticed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
