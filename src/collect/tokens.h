/* Who may talk to a collector: whoever has a token of the file. */
#ifndef HEDDLE_COLLECT_TOKENS_H
#define HEDDLE_COLLECT_TOKENS_H

#include <stdbool.h>

#include "base/err.h"
#include "base/sha256.h"
#include "base/vec.h"

struct collect_token {
	uint8_t hash[SHA256_BYTES];
};

struct collect_tokens {
	VEC_FIELDS(struct collect_token);
};

/*
 * A token per line, 16 characters at least without blanks; '#' begins a comment.  The file must be
 * its owner's alone.  ERR_FORMAT, ERR_IO.
 */
int collect_tokens_read(struct collect_tokens *t, const char *path, struct err *e);
void collect_tokens_fini(struct collect_tokens *t);

/*
 * Is that header ("Bearer TOKEN", or "Basic ..." with the token as password, for browsers) good?
 * NULL: there is none.  How long it takes tells nothing of the tokens.
 */
bool collect_tokens_allow(const struct collect_tokens *t, const char *authorization);

#endif
