/*
 * Programs that are many tests: GoogleTest and Catch2.  They list their tests and run single ones
 * by options of their own; which framework it is shows in the data of the program or of its
 * libraries.
 */
#ifndef HEDDLE_CLI_CHECK_TESTS_H
#define HEDDLE_CLI_CHECK_TESTS_H

#include "base/err.h"
#include "base/vec.h"

enum cli_tests_kind {
	CLI_TESTS_NONE,
	CLI_TESTS_GOOGLE,
	CLI_TESTS_CATCH2, /* version 2 of Catch */
	CLI_TESTS_CATCH3, /* version 3 */
};

struct cli_tests {
	enum cli_tests_kind kind;
	VEC(char *) names;
	size_t disabled; /* tests that the program itself does not run; not among the names */
};

/*
 * Runs the program argv (ends with NULL), natively, for its list.  ERR_UNSUPPORTED when it is of no
 * framework that we know, ERR_IO when it does not list its tests.  *t must be zeroed.
 */
int cli_tests_list(struct cli_tests *t, char *const *argv, struct err *e);
void cli_tests_fini(struct cli_tests *t);

/* The words that make the program run only this test, after its own: owned, ends with NULL. */
char **cli_tests_argv(const struct cli_tests *t, char *const *argv, const char *name);
void cli_tests_argv_free(char **argv);

/* Is there such a test?  ERR_USAGE with a near name otherwise. */
int cli_tests_find(const struct cli_tests *t, const char *name, struct err *e);

/* What the program says about its tests, to be read by the above; exposed for tests. */
void cli_tests_parse_google(struct cli_tests *t, const char *text);
void cli_tests_parse_catch(struct cli_tests *t, const char *text);

#endif
