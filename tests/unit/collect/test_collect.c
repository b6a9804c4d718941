/* Who may ask, how often, for what. */
#include "collect/admit.h"
#include "collect/rate.h"
#include "collect/tokens.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "trace/squeeze.h"

static void hashes_are_those_of_the_standard(void **state)
{
	uint8_t hash[SHA256_BYTES], again[SHA256_BYTES];
	char text[SHA256_TEXT];

	sha256("abc", 3, hash);
	sha256_text(hash, text);
	assert_string_equal(text,
			    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
	assert_true(sha256_parse(text, again));
	assert_memory_equal(hash, again, sizeof(hash));
	sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 56, hash);
	sha256_text(hash, text);
	assert_string_equal(text,
			    "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
	text[3] = 'G';
	assert_false(sha256_parse(text, again));
}

static void what_is_squeezed_comes_back(void **state)
{
	char plain[5000];
	struct strbuf small = STRBUF_INIT, again = STRBUF_INIT;
	struct err e = ERR_INIT;

	memset(plain, 'x', sizeof(plain));
	trace_squeeze(&small, plain, sizeof(plain));
	assert_int_equal(trace_unsqueeze(&again, small.text, small.length, sizeof(plain), &e), 0);
	assert_memory_equal(again.text, plain, sizeof(plain));
	strbuf_clear(&again);
	assert_int_equal(trace_unsqueeze(&again, small.text, small.length, sizeof(plain) - 1, &e),
			 ERR_LIMIT);
	assert_int_equal(trace_unsqueeze(&again, small.text, small.length - 1, 9999, &e),
			 ERR_FORMAT);
	strbuf_add_char(&small, 'x');
	assert_int_equal(trace_unsqueeze(&again, small.text, small.length, 9999, &e), ERR_FORMAT);
	strbuf_free(&small);
	strbuf_free(&again);
}

static void rates_are_of_one_client(void **state)
{
	static struct collect_rate r;
	uint64_t now = 1000000000;

	collect_rate_init(&r, 2, 3);
	for (int i = 0; i < 3; i++)
		assert_int_equal(collect_rate_take(&r, 7, now), 0);
	assert_int_equal(collect_rate_take(&r, 7, now), 1);
	assert_int_equal(collect_rate_take(&r, 8, now), 0);
	assert_int_equal(collect_rate_take(&r, 7, now + 500000000), 0);
	assert_int_equal(collect_rate_take(&r, 7, now + 500000000), 1);
	collect_rate_fini(&r);
}

static void tokens_are_compared_whole(void **state)
{
	char path[] = "/tmp/heddle-tokens.XXXXXX";
	struct collect_tokens t = VEC_INIT;
	struct err e = ERR_INIT;
	int fd = mkstemp(path);

	dprintf(fd, "# ours\nabcdefghijklmnop\n\nsecond-token-is-here # b\n");
	close(fd);
	assert_int_equal(collect_tokens_read(&t, path, &e), 0);
	assert_int_equal(t.count, 2);
	assert_true(collect_tokens_allow(&t, "Bearer abcdefghijklmnop"));
	assert_true(collect_tokens_allow(&t, "bearer second-token-is-here"));
	assert_true(collect_tokens_allow(&t, "Basic eDphYmNkZWZnaGlqa2xtbm9w"));
	assert_false(collect_tokens_allow(&t, "Bearer abcdefghijklmno"));
	assert_false(collect_tokens_allow(&t, "Bearer abcdefghijklmnopq"));
	assert_false(collect_tokens_allow(&t, "Bearer "));
	assert_false(collect_tokens_allow(&t, NULL));
	collect_tokens_fini(&t);
	chmod(path, 0640);
	assert_int_equal(collect_tokens_read(&t, path, &e), ERR_FORMAT);
	unlink(path);
}

static void only_what_there_is_has_an_address(void **state)
{
	struct collect_target t;

	collect_route("/failures/12/bundle", &t);
	assert_int_equal(t.route, COLLECT_BUNDLE);
	assert_int_equal(t.failure, 12);
	collect_route("/failures/012", &t);
	assert_int_equal(t.route, COLLECT_NOWHERE);
	collect_route("/failures/9999999999999999999", &t);
	assert_int_equal(t.route, COLLECT_NOWHERE);
	collect_route("/logs/../x", &t);
	assert_int_equal(t.route, COLLECT_NOWHERE);
	collect_route("", &t);
	assert_int_equal(t.route, COLLECT_NOWHERE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hashes_are_those_of_the_standard),
		cmocka_unit_test(what_is_squeezed_comes_back),
		cmocka_unit_test(rates_are_of_one_client),
		cmocka_unit_test(tokens_are_compared_whole),
		cmocka_unit_test(only_what_there_is_has_an_address),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
