/* What the analysis of marks takes to be executed again has a model. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "symex/library/library.h"

static void executed_functions_have_models(void **state)
{
	static const char *const names[] = {
#define X(name) #name,
#include "wire/executed.def"
#undef X
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct program_function f = {.name = (char *)names[i]};

		library_find(&f);
		if (!f.library && !f.math)
			fail_msg("%s has no model", names[i]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(executed_functions_have_models)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
