/* Lengths and kinds of instructions, as a disassembler has them. */
#include "unit.h"

#include "stable/x86.h"

struct sample {
	const char *bytes;
	uint8_t length;
	bool memory, locked;
};

static const struct sample samples[] = {
	{"\x90", 1, false, false},
	{"\x48\xb8\x01\x02\x03\x04\x05\x06\x07\x08", 10, false, false}, /* movabs */
	{"\x66\xb8\x01\x02", 4, false, false},
	{"\xf0\x0f\xb1\x15\x00\x00\x00\x00", 8, true, true}, /* lock cmpxchg %edx,x(%rip) */
	{"\xf0\x48\x0f\xc1\x44\x24\x08", 7, true, true},     /* lock xadd %rax,8(%rsp) */
	{"\x87\x05\x00\x00\x00\x00", 6, true, false},	     /* xchg %eax,x(%rip) */
	{"\x87\xc1", 2, false, false},			     /* xchg %eax,%ecx */
	{"\xf0\x83\x2d\x00\x00\x00\x00\x01", 8, true, true}, /* lock subl $1,x(%rip) */
	{"\xf7\x04\x25\x00\x00\x00\x00\x01\x00\x00\x00", 11, true, false}, /* testl */
	{"\xf7\xd8", 2, false, false},					   /* neg */
	{"\x0f\x05", 2, false, false},
	{"\x0f\x84\x01\x00\x00\x00", 6, false, false},	  /* je */
	{"\xc5\xf8\x77", 3, false, false},		  /* vzeroupper */
	{"\xc4\xe2\x7d\x18\x07", 5, true, false},	  /* vbroadcastss */
	{"\xc4\xe3\x7d\x19\xc1\x01", 6, false, false},	  /* vextractf128 */
	{"\x62\xf1\x7c\x48\x10\x47\x01", 7, true, false}, /* vmovups 64(%rdi),%zmm0 */
	{"\x66\x0f\x3a\x0f\xc1\x08", 6, false, false},	  /* palignr */
	{"\xc8\x10\x00\x00", 4, false, false},		  /* enter */
};

static void lengths_are_known(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(samples) / sizeof(samples[0]); i++) {
		const struct sample *s = &samples[i];
		struct x86_insn insn;
		unsigned char code[16] = {0};

		memcpy(code, s->bytes, s->length);
		assert_true(x86_decode(code, sizeof(code), &insn));
		assert_int_equal(insn.length, s->length);
		assert_int_equal(x86_in_memory(&insn), s->memory);
		assert_int_equal(insn.locked, s->locked);
		/* A piece of it is none. */
		for (size_t n = 0; n < s->length; n++)
			assert_false(x86_decode(code, n, &insn));
	}
}

static void what_is_too_long_is_none(void **state)
{
	unsigned char code[32];
	struct x86_insn insn;

	(void)state;
	memset(code, 0x66, sizeof(code));
	assert_false(x86_decode(code, sizeof(code), &insn));
}

static void number_of_a_call_is_seen(void **state)
{
	struct x86_insn insn;

	(void)state;
	assert_true(x86_decode((const unsigned char *)"\xb8\xca\x00\x00\x00", 5, &insn));
	assert_int_equal(insn.opcode, 0xb8);
	assert_int_equal(insn.immediate, 202);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lengths_are_known),
		cmocka_unit_test(what_is_too_long_is_none),
		cmocka_unit_test(number_of_a_call_is_seen),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
