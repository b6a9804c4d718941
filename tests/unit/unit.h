/* cmocka with the headers it wants before it, and a scratch directory per test program. */
#ifndef HEDDLE_TESTS_UNIT_UNIT_H
#define HEDDLE_TESTS_UNIT_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/fs.h"
#include "base/mem.h"

/* Succeeds, or the test fails with the error's text. */
#define assert_ok(call, e)                                                                         \
	do {                                                                                       \
		int unit_rc = (call);                                                              \
		if (unit_rc)                                                                       \
			fail_msg("%s: %d, %s", #call, unit_rc, (e).text);                          \
	} while (0)

#define assert_error(call, want, e)                                                                \
	do {                                                                                       \
		int unit_rc = (call);                                                              \
		if (unit_rc != (want))                                                             \
			fail_msg("%s: %d (%s) instead of %d", #call, unit_rc, (e).text, (want));   \
		assert_int_equal((e).code, (want));                                                \
	} while (0)

#define assert_contains(text, part)                                                                \
	do {                                                                                       \
		if (!strstr((text), (part)))                                                       \
			fail_msg("\"%s\" does not contain \"%s\"", (text), (part));                \
	} while (0)

/* A fresh directory; the caller frees the name and removes the directory. */
static inline char *unit_scratch(void)
{
	const char *base = getenv("TMPDIR");
	char *dir = xasprintf("%s/heddle-unit-XXXXXX", base ? base : "/tmp");

	assert_non_null(mkdtemp(dir));
	return dir;
}

#endif
