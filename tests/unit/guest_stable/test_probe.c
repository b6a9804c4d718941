/* What a thread may do and still be proved to do nothing but wait. */
#include "unit.h"

#include "guest/stable/probe.h"

static bool allows(const char *bytes)
{
	return probe_allows((const unsigned char *)bytes);
}

static void looking_is_allowed(void **state)
{
	(void)state;
	assert_true(allows("\x8b\x07"));	 /* mov (%rdi),%eax */
	assert_true(allows("\x83\x3f\x00"));	 /* cmpl $0,(%rdi) */
	assert_true(allows("\xf3\x90"));	 /* pause */
	assert_true(allows("\x74\xfa"));	 /* je */
	assert_true(allows("\x86\x07"));	 /* xchg %al,(%rdi) */
	assert_true(allows("\xf0\x0f\xb1\x17")); /* lock cmpxchg */
	assert_true(allows("\x48\x83\xc0\x01")); /* add $1,%rax */
	assert_true(allows("\x48\x89\x45\xf8")); /* mov %rax,-8(%rbp) */
	assert_true(allows("\xf6\x07\x01"));	 /* testb $1,(%rdi) */
}

/* Counts in memory, where no register shows it; or asks the time or the system. */
static void counting_is_not(void **state)
{
	(void)state;
	assert_false(allows("\x83\x07\x01"));	  /* addl $1,(%rdi) */
	assert_false(allows("\xff\x07"));	  /* incl (%rdi) */
	assert_false(allows("\x01\x07"));	  /* add %eax,(%rdi) */
	assert_false(allows("\xf0\x0f\xc1\x07")); /* lock xadd */
	assert_false(allows("\xf7\x1f"));	  /* negl (%rdi) */
	assert_false(allows("\xd1\x27"));	  /* shll (%rdi) */
	assert_false(allows("\x0f\xba\x2f\x01")); /* btsl $1,(%rdi) */
	assert_false(allows("\x0f\x31"));	  /* rdtsc */
	assert_false(allows("\x0f\x05"));	  /* syscall */
	assert_false(allows("\xf3\x48\xab"));	  /* rep stos */
	assert_false(allows("\x0f\x10\x07"));	  /* movups */
	assert_false(allows("\xd9\x07"));	  /* flds */
	assert_false(allows("\xc5\xf8\x10\x07")); /* vmovups */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(looking_is_allowed),
		cmocka_unit_test(counting_is_not),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
