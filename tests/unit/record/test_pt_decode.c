#include "record/pt_decode.h"

#include <intel-pt.h>
#include <string.h>

#include "unit.h"

/* A trace made by libipt's encoder, packet by packet. */
struct made {
	uint8_t bytes[1 << 16];
	size_t count;
	struct pt_encoder *encoder;
};

static void begin(struct made *m)
{
	struct pt_config config;

	memset(m->bytes, 0, sizeof(m->bytes));
	pt_config_init(&config);
	config.begin = m->bytes;
	config.end = m->bytes + sizeof(m->bytes);
	m->encoder = pt_alloc_encoder(&config);
	assert_non_null(m->encoder);
}

static void put(struct made *m, struct pt_packet p)
{
	assert_true(pt_enc_next(m->encoder, &p) > 0);
}

static void put_plain(struct made *m, enum pt_packet_type type)
{
	put(m, (struct pt_packet){.type = type});
}

static void put_ip(struct made *m, enum pt_packet_type type, enum pt_ip_compression ipc, uint64_t ip)
{
	put(m, (struct pt_packet){.type = type, .payload.ip = {ipc, ip}});
}

/* "1" taken, "0" not, oldest first. */
static void put_ways(struct made *m, const char *ways)
{
	struct pt_packet p = {.type = strlen(ways) > 6 ? ppt_tnt_64 : ppt_tnt_8};

	p.payload.tnt.bit_size = (uint8_t)strlen(ways);
	for (; *ways; ways++)
		p.payload.tnt.payload = p.payload.tnt.payload << 1 | (*ways == '1');
	put(m, p);
}

static void put_time(struct made *m, uint64_t tsc)
{
	put(m, (struct pt_packet){.type = ppt_tsc, .payload.tsc = {tsc}});
}

static void put_sync(struct made *m)
{
	put_plain(m, ppt_psb);
	put_plain(m, ppt_psbend);
}

static void finish(struct made *m)
{
	uint64_t n = 0;

	assert_true(pt_enc_get_offset(m->encoder, &n) >= 0);
	m->count = (size_t)n;
	pt_free_encoder(m->encoder);
}

/* The steps as text: 0 1, T:ip, [ip, ]ip, ! for a loss. */
static void expect(const struct made *m, const char *steps)
{
	struct record_pt_path p = {NULL, 0, 0, false};
	struct err e = ERR_INIT;
	char text[4096];
	size_t n = 0;

	assert_int_equal(record_pt_decode(m->bytes, m->count, &p, &e), 0);
	text[0] = 0;
	for (size_t i = 0; i < p.count; i++) {
		static const char *const names[] = {"0", "1", "T", "[", "]", "!"};
		enum record_pt_kind kind = p.items[i].kind;
		bool ip = kind == RECORD_PT_TARGET || kind == RECORD_PT_ON || kind == RECORD_PT_OFF;

		n += (size_t)snprintf(text + n, sizeof(text) - n, ip ? "%s%lx " : "%s ", names[kind],
				      (unsigned long)p.items[i].ip);
	}
	assert_string_equal(text, steps);
	assert_int_equal(p.incomplete, strchr(steps, '!') != NULL);
	vec_free(&p);
}

static struct made m;

static void branches_come_oldest_first(void **state)
{
	begin(&m);
	put_sync(&m);
	put_ip(&m, ppt_tip_pge, pt_ipc_full, 0x401000);
	put_ways(&m, "1101");
	put_ways(&m, "0000000011");
	put_ip(&m, ppt_tip_pgd, pt_ipc_suppressed, 0);
	finish(&m);
	expect(&m, "[401000 1 1 0 1 0 0 0 0 0 0 0 0 1 1 ]0 ");
}

static void short_addresses_are_completed(void **state)
{
	begin(&m);
	put_sync(&m);
	put_ip(&m, ppt_tip_pge, pt_ipc_full, 0x7f1234567890);
	put_ip(&m, ppt_tip, pt_ipc_update_16, 0x1111);
	put_ip(&m, ppt_fup, pt_ipc_update_32, 0xaaaa0000);
	put_ip(&m, ppt_tip, pt_ipc_update_16, 0x2222);
	put_ip(&m, ppt_tip, pt_ipc_sext_48, 0x800000000010);
	put_ip(&m, ppt_tip, pt_ipc_suppressed, 0);
	put_ip(&m, ppt_tip, pt_ipc_update_48, 0x555500001234);
	finish(&m);
	expect(&m, "[7f1234567890 T7f1234561111 T7f12aaaa2222 Tffff800000000010 Tffff555500001234 ");
}

static void times_stand_at_what_follows(void **state)
{
	struct record_pt_path p = {NULL, 0, 0, false};
	struct err e = ERR_INIT;

	begin(&m);
	put_plain(&m, ppt_psb);
	put_time(&m, 1000);
	put_plain(&m, ppt_psbend);
	put_ways(&m, "1");
	put_time(&m, 2000);
	put_ways(&m, "0");
	finish(&m);
	assert_int_equal(record_pt_decode(m.bytes, m.count, &p, &e), 0);
	assert_int_equal(p.count, 2);
	assert_int_equal(p.items[0].tsc, 1000);
	assert_int_equal(p.items[1].tsc, 2000);
	vec_free(&p);
}

static void losses_are_said(void **state)
{
	begin(&m);
	put_sync(&m);
	put_ways(&m, "1");
	put_plain(&m, ppt_ovf);
	put_plain(&m, ppt_ovf);
	put_ways(&m, "0");
	finish(&m);
	expect(&m, "1 ! 0 ");
}

static void damage_is_skipped_to_the_next_point(void **state)
{
	uint64_t at = 0;

	begin(&m);
	put_sync(&m);
	put_ways(&m, "11");
	assert_true(pt_enc_get_offset(m.encoder, &at) >= 0);
	put_ways(&m, "0");
	put_ways(&m, "0");
	put_sync(&m);
	put_ways(&m, "101");
	finish(&m);
	/* No packet begins so. */
	m.bytes[at] = 0x02;
	m.bytes[at + 1] = 0xff;
	expect(&m, "1 1 ! 1 0 1 ");
}

static void a_beginning_without_a_point_is_a_loss(void **state)
{
	begin(&m);
	put_ways(&m, "11");
	put_sync(&m);
	put_ways(&m, "0");
	finish(&m);
	expect(&m, "! 0 ");
}

static void nothing_of_a_trace_is_an_error(void **state)
{
	struct record_pt_path p = {NULL, 0, 0, false};
	struct err e = ERR_INIT;
	uint8_t zeros[64] = {0};

	assert_int_equal(record_pt_decode(zeros, sizeof(zeros), &p, &e), ERR_FORMAT);
	assert_int_equal(record_pt_decode(zeros, 0, &p, &e), ERR_FORMAT);
	vec_free(&p);
}

/* Cut and changed anywhere: an answer, or a clear error. */
static void any_bytes_are_taken(void **state)
{
	struct made copy;
	uint32_t random = 1;

	begin(&m);
	for (unsigned i = 0; i < 8; i++) {
		put_sync(&m);
		put_ip(&m, ppt_tip_pge, pt_ipc_full, 0x401000 + i);
		put_ways(&m, "1101");
		put_ways(&m, "0000000011");
		put_time(&m, i);
	}
	finish(&m);
	for (unsigned round = 0; round < 2000; round++) {
		struct record_pt_path p = {NULL, 0, 0, false};
		struct err e = ERR_INIT;
		int rc;

		copy = m;
		random = random * 1103515245 + 12345;
		if (round < m.count)
			copy.count = round;
		else
			copy.bytes[(random >> 8) % m.count] ^= (uint8_t)(1u << (random >> 4) % 8);
		rc = record_pt_decode(copy.bytes, copy.count, &p, &e);
		assert_true(rc == 0 || rc == ERR_FORMAT);
		vec_free(&p);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(branches_come_oldest_first),
		cmocka_unit_test(short_addresses_are_completed),
		cmocka_unit_test(times_stand_at_what_follows),
		cmocka_unit_test(losses_are_said),
		cmocka_unit_test(damage_is_skipped_to_the_next_point),
		cmocka_unit_test(a_beginning_without_a_point_is_a_loss),
		cmocka_unit_test(nothing_of_a_trace_is_an_error),
		cmocka_unit_test(any_bytes_are_taken),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
