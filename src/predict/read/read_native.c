/*
 * The native text form and RAPID STD, line by line.
 *
 *   native   T1 acq(l) w(x)@p%file.c:12 +w(y) rel(l)
 *   STD      T1|acq(l)|location
 */
#include <string.h>

#include "predict/read/read.h"

static struct predict_text text_of(const char *literal)
{
	return (struct predict_text){literal, strlen(literal)};
}

/* op(arg): arg may hold balanced parentheses.  *rest is what follows. */
static int split_call(struct predict_text word, struct predict_item *item,
		      struct predict_text *rest, struct err *e)
{
	size_t i = 0, start, depth = 1;
	char quoted[64];

	if (word.bytes > 0 && (word.at[0] == '+' || word.at[0] == '&')) {
		item->flags = PREDICT_GLUED | (word.at[0] == '&' ? PREDICT_PART : 0);
		word.at++;
		word.bytes--;
	}
	while (i < word.bytes && word.at[i] != '(' && word.at[i] != '@' && word.at[i] != '^' &&
	       word.at[i] != '%')
		i++;
	item->op = (struct predict_text){word.at, i};
	item->arg = (struct predict_text){word.at, 0};
	if (i < word.bytes && word.at[i] == '(') {
		for (start = ++i; i < word.bytes && depth > 0; i++) {
			if (word.at[i] == '(')
				depth++;
			else if (word.at[i] == ')')
				depth--;
		}
		if (depth > 0)
			return err_set(e, ERR_FORMAT,
				       "line %u: \"%s\" lacks its closing parenthesis", item->line,
				       predict_text_quote(word, quoted));
		item->arg = (struct predict_text){word.at + start, i - start - 1};
	}
	*rest = (struct predict_text){word.at + i, word.bytes - i};
	return 0;
}

/* Cuts one "@label", "^label" or "%site" off rest; false when rest does not start with one. */
static bool split_suffix(struct predict_text *rest, char *mark, struct predict_text *body)
{
	size_t i = 1;

	if (rest->bytes < 2 || strchr("@^%", rest->at[0]) == NULL)
		return false;
	while (i < rest->bytes && strchr("@^%", rest->at[i]) == NULL)
		i++;
	*mark = rest->at[0];
	*body = (struct predict_text){rest->at + 1, i - 1};
	rest->at += i;
	rest->bytes -= i;
	return body->bytes > 0;
}

static int read_suffixes(struct predict_feed *f, struct predict_item *item,
			 struct predict_text rest, struct err *e)
{
	struct predict_text all = rest, body;
	uint32_t event;
	char mark, quoted[64];
	int code;

	while (split_suffix(&rest, &mark, &body)) {
		if (mark == '@')
			item->label = body;
		else if (mark == '%')
			item->site = body;
	}
	if (rest.bytes > 0)
		return err_set(e, ERR_FORMAT, "line %u: cannot read \"%s\" after the operand",
			       item->line, predict_text_quote(rest, quoted));
	code = predict_feed_event(f, item, &event, e);
	while (code == 0 && split_suffix(&all, &mark, &body)) {
		if (mark == '^')
			code = predict_feed_released_by(f, event, body, e);
	}
	return code;
}

/* sync(o) stands for acq(o) r(o') w(o') rel(o). */
static int read_sync(struct predict_feed *f, const struct predict_item *like, struct err *e)
{
	static const char *const ops[] = {"acq", "r", "w", "rel"};
	struct predict_item item = *like;
	char prime[256];
	uint32_t event;
	int code = 0;

	if (like->arg.bytes == 0 || like->arg.bytes > sizeof(prime) - 2)
		return err_set(e, ERR_FORMAT, "line %u: bad operand of sync", like->line);
	memcpy(prime, like->arg.at, like->arg.bytes);
	prime[like->arg.bytes] = '\'';
	for (int i = 0; i < 4 && code == 0; i++) {
		item.op = text_of(ops[i]);
		item.arg = i == 1 || i == 2 ? (struct predict_text){prime, like->arg.bytes + 1}
					    : like->arg;
		code = predict_feed_event(f, &item, &event, e);
	}
	return code;
}

static bool next_word(struct predict_text *rest, struct predict_text *word)
{
	size_t n = 0;

	*rest = predict_text_trim(*rest);
	while (n < rest->bytes && rest->at[n] != ' ' && rest->at[n] != '\t')
		n++;
	*word = (struct predict_text){rest->at, n};
	rest->at += n;
	rest->bytes -= n;
	return n > 0;
}

int predict_read_native_line(struct predict_feed *f, struct predict_text line, uint32_t number,
			     struct err *e)
{
	struct predict_text thread, word, rest;
	int code = 0;

	if (!next_word(&line, &thread))
		return 0;
	if (memchr(thread.at, '(', thread.bytes) != NULL)
		return err_set(e, ERR_FORMAT, "line %u: a line begins with the name of a thread",
			       number);
	while (code == 0 && next_word(&line, &word)) {
		struct predict_item item = {.thread = thread, .line = number};

		if (*word.at == '#')
			break;
		code = split_call(word, &item, &rest, e);
		if (code != 0)
			break;
		if (item.op.bytes == 4 && memcmp(item.op.at, "sync", 4) == 0 && rest.bytes == 0 &&
		    item.flags == 0)
			code = read_sync(f, &item, e);
		else
			code = read_suffixes(f, &item, rest, e);
	}
	return code;
}

/* "T12" and "12" are one thread: forks in published traces leave the letter out. */
static struct predict_text std_thread(struct predict_text name, char buffer[24])
{
	size_t i = 0;

	while (i < name.bytes && name.at[i] >= '0' && name.at[i] <= '9')
		i++;
	if (name.bytes == 0 || i < name.bytes || name.bytes > 20)
		return name;
	buffer[0] = 'T';
	memcpy(buffer + 1, name.at, name.bytes);
	return (struct predict_text){buffer, name.bytes + 1};
}

int predict_read_std_line(struct predict_feed *f, struct predict_text line, uint32_t number,
			  bool literal, struct err *e)
{
	struct predict_item item = {.line = number};
	struct predict_text call, rest;
	const char *bar1 = memchr(line.at, '|', line.bytes), *bar2 = NULL;
	char thread[24], operand[24];
	size_t left;
	uint32_t event;
	int code;

	if (bar1 != NULL) {
		left = line.bytes - (size_t)(bar1 + 1 - line.at);
		bar2 = memchr(bar1 + 1, '|', left);
	}
	if (bar2 == NULL)
		return err_set(e, ERR_FORMAT, "line %u: not \"thread|operation(operand)|location\"",
			       number);
	item.thread = predict_text_trim((struct predict_text){line.at, (size_t)(bar1 - line.at)});
	if (!literal)
		item.thread = std_thread(item.thread, thread);
	call = predict_text_trim((struct predict_text){bar1 + 1, (size_t)(bar2 - bar1 - 1)});
	item.site = predict_text_trim(
		(struct predict_text){bar2 + 1, line.bytes - (size_t)(bar2 + 1 - line.at)});
	code = split_call(call, &item, &rest, e);
	if (code == 0 && rest.bytes > 0)
		return err_set(e, ERR_FORMAT, "line %u: text after the operation", number);
	if (!literal && item.op.bytes == 4 &&
	    (memcmp(item.op.at, "fork", 4) == 0 || memcmp(item.op.at, "join", 4) == 0))
		item.arg = std_thread(item.arg, operand);
	return code == 0 ? predict_feed_event(f, &item, &event, e) : code;
}
