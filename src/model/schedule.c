#include "model/schedule.h"

#include <assert.h>
#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

int model_schedule_expand(struct model_schedule *out, const struct wire_choice *choices, size_t n,
			  size_t limit, struct err *e)
{
	for (size_t i = 0; i < n; i++) {
		struct wire_choice c = choices[i];
		uint32_t times = 1;

		if (c.kind == CHOICE_RUN) {
			times = c.arg;
			c.arg = 1;
		}
		if (out->count > limit || times > limit - out->count)
			return err_set(e, ERR_LIMIT, "the schedule has more than %zu steps", limit);
		while (times--)
			vec_push(out, c);
	}
	return 0;
}

void model_schedule_compact(struct model_schedule *out, const struct wire_choice *choices, size_t n)
{
	size_t given = out->count;

	for (size_t i = 0; i < n; i++) {
		struct wire_choice *last = out->count ? &vec_last(out) : NULL;
		uint32_t sum;

		if (choices[i].kind == CHOICE_RUN && last && last->kind == CHOICE_RUN &&
		    last->tid == choices[i].tid &&
		    !__builtin_add_overflow(last->arg, choices[i].arg, &sum))
			last->arg = sum;
		else
			vec_push(out, choices[i]);
	}
	assert(out->count <= given + n); /* never longer than what it is made of */
}

void model_schedule_count(struct model_schedule_summary *s, const struct wire_choice *choices,
			  size_t n)
{
	bool *seen = xcalloc(1 << 16, sizeof(*seen));
	int last = -1;

	memset(s, 0, sizeof(*s));
	for (size_t i = 0; i < n; i++) {
		const struct wire_choice *c = &choices[i];

		s->flushes += c->kind == CHOICE_FLUSH;
		s->timeouts += c->kind == CHOICE_TIMEOUT;
		s->picks += c->kind == CHOICE_PICK;
		s->spurious += c->kind == CHOICE_SPURIOUS;
		if (c->kind != CHOICE_RUN)
			continue;
		s->steps += c->arg;
		s->switches += last >= 0 && last != c->tid;
		s->threads += !seen[c->tid];
		seen[c->tid] = true;
		last = c->tid;
	}
	assert(s->threads <= s->switches + 1 || s->threads == 0);
	free(seen);
}

void model_choice_print(const struct wire_choice *c, struct strbuf *to)
{
	if (c->tid == THREAD_NONE)
		strbuf_add_char(to, '-');
	else
		strbuf_addf(to, "T%u", c->tid);
	switch (c->kind) {
	case CHOICE_RUN:
		if (c->arg != 1)
			strbuf_addf(to, "*%u", c->arg);
		break;
	case CHOICE_FLUSH:
		strbuf_addf(to, ".flush%u", c->arg);
		break;
	case CHOICE_TIMEOUT:
		strbuf_add(to, ".timeout");
		break;
	case CHOICE_PICK:
		strbuf_addf(to, ".pick%u", c->arg);
		break;
	case CHOICE_SPURIOUS:
		strbuf_add(to, ".spurious");
		break;
	default:
		strbuf_addf(to, ".kind%u", c->kind);
	}
}

void model_schedule_print(const struct wire_choice *choices, size_t n, size_t width,
			  struct strbuf *to)
{
	struct strbuf word = STRBUF_INIT;
	size_t used = 0;

	for (size_t i = 0; i < n; i++) {
		strbuf_clear(&word);
		model_choice_print(&choices[i], &word);
		if (used && used + 1 + word.length > width) {
			strbuf_add_char(to, '\n');
			used = 0;
		}
		if (used)
			strbuf_add_char(to, ' ');
		strbuf_add_bytes(to, word.text, word.length);
		used += word.length + (used != 0);
	}
	if (used)
		strbuf_add_char(to, '\n');
	strbuf_free(&word);
}

/* A decimal number of at most max at *p, which moves behind it. */
static bool parse_number(const char **p, uint32_t max, uint32_t *value)
{
	uint64_t n = 0;
	const char *s = *p;

	for (; isdigit((unsigned char)*s); s++) {
		n = n * 10 + (uint64_t)(*s - '0');
		if (n > max)
			return false;
	}
	if (s == *p)
		return false;
	*p = s;
	*value = (uint32_t)n;
	return true;
}

static bool skip_word(const char **p, const char *word)
{
	size_t n = strlen(word);

	if (strncmp(*p, word, n))
		return false;
	*p += n;
	return true;
}

/* What follows the thread. */
static bool parse_action(const char **p, struct wire_choice *c)
{
	c->arg = 1;
	c->kind = CHOICE_RUN;
	if (skip_word(p, "*"))
		return parse_number(p, UINT32_MAX, &c->arg) && c->arg >= 1;
	if (skip_word(p, ".timeout")) {
		c->kind = CHOICE_TIMEOUT;
		c->arg = 0;
		return true;
	}
	if (skip_word(p, ".spurious")) {
		c->kind = CHOICE_SPURIOUS;
		c->arg = 0;
		return true;
	}
	if (skip_word(p, ".flush")) {
		c->kind = CHOICE_FLUSH;
		return parse_number(p, UINT32_MAX, &c->arg);
	}
	if (skip_word(p, ".pick")) {
		c->kind = CHOICE_PICK;
		return parse_number(p, UINT32_MAX, &c->arg);
	}
	return true;
}

static bool parse_choice(const char **p, struct wire_choice *c)
{
	uint32_t tid = THREAD_NONE;
	bool none;

	memset(c, 0, sizeof(*c));
	none = skip_word(p, "-");
	if (!none && (!skip_word(p, "T") || !parse_number(p, THREAD_NONE - 1, &tid)))
		return false;
	c->tid = (uint16_t)tid;
	if (!parse_action(p, c) || (none && c->kind != CHOICE_PICK))
		return false;
	return !**p || isspace((unsigned char)**p) || **p == '#';
}

int model_schedule_parse(struct model_schedule *out, const char *text, struct err *e)
{
	unsigned line = 1;
	const char *p = text;

	for (;;) {
		struct wire_choice c;
		const char *word;

		while (isspace((unsigned char)*p) || *p == '#') {
			if (*p == '#')
				p += strcspn(p, "\n");
			else
				line += *p++ == '\n';
		}
		if (!*p)
			return 0;
		word = p;
		if (!parse_choice(&p, &c))
			return err_set(e, ERR_FORMAT, "line %u: \"%.*s\" is not a choice", line,
				       (int)strcspn(word, " \t\r\n#"), word);
		vec_push(out, c);
	}
}
