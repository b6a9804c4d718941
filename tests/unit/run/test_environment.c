/* What a program gets of an environment, and what is taken for a secret. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>
#include <string.h>

#include "run/guest/environment.h"
#include "run/guest/needs.h"
#include "wire/secret.h"

static void secrets_are_known_by_name(void **state)
{
	static const char *const secret[] = {
		"DB_PASSWORD=x",
		"GITHUB_TOKEN=x",
		"AWS_SECRET_ACCESS_KEY=x",
		"api_key=x",
		"MYSQL_PWD=x",
		"PASSPHRASE=x",
		"GOOGLE_CREDENTIALS=x",
		"ACCESSTOKEN=x",
		"PGPASSWORD=x",
		"NPM_AUTH=x",
		"SECRET=x",
		"MY_SECRETS=x",
		"ENCRYPTION_KEY=x",
		"CI_JOB_JWT=x",
		"SENTRY_DSN=x",
		"SIGNING_KEYS=x",
	};
	static const char *const plain[] = {
		"PWD=/home", "OLDPWD=/",      "PATH=/bin",	"KEYBOARD=de",
		"COMPASS=n", "GIT_AUTHOR=me", "TOKENIZERS=off", "MONKEYS=3",
		"PATCH=1",   "DB_PASSWORD=",  "NOVALUE",	"BYPASS=1",
	};

	for (size_t i = 0; i < sizeof(secret) / sizeof(secret[0]); i++)
		if (!wire_secret_entry(secret[i]))
			fail_msg("%s is not taken for a secret", secret[i]);
	for (size_t i = 0; i < sizeof(plain) / sizeof(plain[0]); i++)
		if (wire_secret_entry(plain[i]))
			fail_msg("%s is taken for a secret", plain[i]);
}

static void secrets_are_known_by_value(void **state)
{
	assert_true(wire_secret_entry("A=ghp_0123456789abcdefghij"));
	assert_true(wire_secret_entry("A=-----BEGIN RSA PRIVATE KEY-----"));
	assert_true(wire_secret_entry("A=postgres://me:hunter2@db/x"));
	assert_true(wire_secret_entry("A=eyJhbGciOiJIUzI1NiJ9.eyJ9.abc"));
	assert_false(wire_secret_entry("A=http://host:8080/p@q"));
	assert_false(wire_secret_entry("A=http://me@host/"));
	assert_false(wire_secret_entry("A=sk-short"));
}

static void stand_ins_are_as_long(void **state)
{
	char *from[] = {(char *)"DB_PASSWORD=correct horse", (char *)"HEDDLE_X=1", (char *)"LANG=C",
			NULL};
	struct run_words secrets = VEC_INIT, said = VEC_INIT;
	char **made = run_environment_make(
		&(struct run_environment_source){"/nonexistent", NULL, from, NULL}, &secrets,
		&said);
	char *hidden;

	/* A program that cannot be read needs all. */
	assert_string_equal(made[0], "DB_PASSWORD=stand-in-stan");
	assert_string_equal(made[1], "LANG=C");
	assert_null(made[2]);
	assert_int_equal(said.count, 1);
	assert_string_equal(said.items[0], "DB_PASSWORD");
	hidden = run_environment_hide(&secrets, "-pcorrect horse!");
	assert_string_equal(hidden, "-pstand-in-stan!");
	free(hidden);
	for (size_t i = 0; made[i]; i++)
		free(made[i]);
	free(made);
	run_words_fini(&secrets);
	run_words_fini(&said);
}

static void what_is_given_is_kept(void **state)
{
	char *from[] = {(char *)"DB_PASSWORD=correct horse", NULL};
	struct run_words secrets = VEC_INIT, said = VEC_INIT;
	char **made = run_environment_make(
		&(struct run_environment_source){"/nonexistent", NULL, from, "A,DB_PASSWORD"},
		&secrets, &said);

	assert_string_equal(made[0], "DB_PASSWORD=correct horse");
	assert_int_equal(said.count + secrets.count, 0);
	free(made[0]);
	free(made);
	run_words_fini(&secrets);
	run_words_fini(&said);
}

/* /bin/true has neither name in its data. */
static void names_in_arguments_are_needs(void **state)
{
	char *from[] = {(char *)"ZEBRA_MODE=1", (char *)"ZEBRA_SIZE=2", NULL};
	char *argv[] = {(char *)"true", (char *)"--from=ZEBRA_SIZE", NULL};
	struct run_words secrets = VEC_INIT, said = VEC_INIT;
	char **made = run_environment_make(
		&(struct run_environment_source){"/bin/true", argv, from, NULL}, &secrets, &said);

	assert_string_equal(made[0], "ZEBRA_SIZE=2");
	assert_null(made[1]);
	free(made[0]);
	free(made);
	run_words_fini(&secrets);
	run_words_fini(&said);
}

static void short_values_are_not_looked_for(void **state)
{
	struct run_words secrets = VEC_INIT;
	char *hidden;

	vec_push(&secrets, xstrdup("1"));
	hidden = run_environment_hide(&secrets, "--count=11");
	assert_string_equal(hidden, "--count=11");
	free(hidden);
	run_words_fini(&secrets);
}

/* Does the data name the variable? */
static bool names(const char *data, size_t bytes, const char *name, bool is_program, bool *all)
{
	struct run_needs n = {.all = false};
	bool found = false;

	run_needs_add(&n, name, strlen(name), &found);
	run_needs_scan(&n, data, bytes, is_program);
	*all = n.all;
	run_needs_fini(&n);
	return found;
}

static void names_in_data_are_needs(void **state)
{
	static const char data[] = "x\0gtest_\0MODE\0execvp\0a_";
	bool all;

	assert_true(names(data, sizeof(data), "GTEST_FILTER", false, &all));
	assert_false(all);
	assert_true(names(data, sizeof(data), "MODE", true, &all));
	assert_true(all);
	assert_false(names(data, sizeof(data), "MODES", false, &all));
	assert_false(names(data, sizeof(data), "A_B", false, &all));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(secrets_are_known_by_name),
		cmocka_unit_test(secrets_are_known_by_value),
		cmocka_unit_test(stand_ins_are_as_long),
		cmocka_unit_test(what_is_given_is_kept),
		cmocka_unit_test(names_in_arguments_are_needs),
		cmocka_unit_test(short_values_are_not_looked_for),
		cmocka_unit_test(names_in_data_are_needs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
