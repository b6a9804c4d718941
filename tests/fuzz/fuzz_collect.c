/* What a collector reads from the network: addresses, tokens, bodies.  A body has the right name.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "collect/admit.h"
#include "collect/tokens.h"
#include "trace/squeeze.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void admit(const uint8_t *data, size_t n, const uint8_t hash[SHA256_BYTES])
{
	struct collect_sizes sizes = {1 << 16, 1 << 16, 1000, 100};
	struct collect_upload u = {.signature = NULL};
	struct strbuf body = STRBUF_INIT, plain = STRBUF_INIT;
	struct err e = ERR_INIT;

	strbuf_add_bytes(&body, data, n);
	if (collect_admit(&u, &body, hash, &sizes, &e) == 0) {
		assert(u.log.elements <= 1000 && u.signature && u.cover);
		assert(collect_plain(u.log.bytes, u.log.n, &sizes, &plain, &e) == 0);
	} else {
		assert(e.code && !u.signature && !u.cover && !u.body.text);
	}
	assert(!body.text);
	collect_upload_fini(&u);
	strbuf_free(&plain);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct collect_tokens tokens = VEC_INIT;
	struct collect_target to;
	struct strbuf plain = STRBUF_INIT;
	uint8_t hash[SHA256_BYTES];
	struct err e = ERR_INIT;
	char *text = xstrndup((const char *)data, n);

	collect_route(text, &to);
	vec_push(&tokens, ((struct collect_token){{0}}));
	assert(!collect_tokens_allow(&tokens, text));
	vec_free(&tokens);
	free(text);
	sha256(data, n, hash);
	admit(data, n, hash);
	if (trace_unsqueeze(&plain, data, n, 1 << 16, &e) == 0) {
		sha256(plain.text ? plain.text : "", plain.length, hash);
		admit(data, n, hash);
	}
	strbuf_free(&plain);
	return 0;
}
