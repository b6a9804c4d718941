#include "cc/response.h"

#include <ctype.h>
#include <stdbool.h>

#include "base/fs.h"
#include "base/strbuf.h"

#define MAX_BYTES ((size_t)16 << 20)
#define MAX_DEPTH 16

static int expand(const char *word, struct response_words *out, int depth, struct err *e);

/* One word from *at on; false at the end of the text. */
static bool take_word(const char **at, struct strbuf *word)
{
	const char *p = *at;
	char quote = 0;
	bool any = false;

	while (isspace((unsigned char)*p))
		p++;
	for (; *p && (quote || !isspace((unsigned char)*p)); p++) {
		any = true;
		if (*p == '\\' && p[1] && quote != '\'')
			strbuf_add_char(word, *++p);
		else if (quote ? *p == quote : *p == '"' || *p == '\'')
			quote = quote ? 0 : *p;
		else
			strbuf_add_char(word, *p);
	}
	*at = p;
	return any;
}

static int expand_text(const char *text, struct response_words *out, int depth, struct err *e)
{
	struct strbuf word = STRBUF_INIT;
	int rc = 0;

	while (!rc && take_word(&text, &word)) {
		rc = expand(word.text ? word.text : "", out, depth + 1, e);
		strbuf_clear(&word);
	}
	strbuf_free(&word);
	return rc;
}

static int expand(const char *word, struct response_words *out, int depth, struct err *e)
{
	char *text;
	size_t bytes;
	int rc;

	if (word[0] != '@' || !fs_exists(word + 1)) {
		vec_push(out, xstrdup(word));
		return 0;
	}
	if (depth >= MAX_DEPTH)
		return err_set(e, ERR_LIMIT, "response files nested too deep at %s", word);
	rc = fs_read_file(word + 1, MAX_BYTES, &text, &bytes, e);
	if (rc)
		return rc;
	rc = expand_text(text, out, depth, e);
	free(text);
	return rc;
}

int response_expand(const char *word, struct response_words *out, struct err *e)
{
	return expand(word, out, 0, e);
}
