#include "symex/library/format.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define INTS_END 48
#define REALS_END 176

void format_open_words(struct format_source *s, struct machine *m, struct library_call *k,
		       const uint64_t *words, unsigned first, unsigned count)
{
	*s = (struct format_source){.m = m, .k = k, .words = words, .next = first, .count = count};
}

void format_open_list(struct format_source *s, struct machine *m, struct library_call *k,
		      uint64_t at)
{
	*s = (struct format_source){.m = m, .k = k, .list = true};
	s->ints = (uint32_t)library_word(m, k, at, 4);
	s->reals = (uint32_t)library_word(m, k, at + 4, 4);
	s->more = library_word(m, k, at + 8, 8);
	s->regs = library_word(m, k, at + 16, 8);
}

uint64_t format_word(struct format_source *s, bool real)
{
	uint64_t at;

	if (!s->list)
		return s->next < s->count ? s->words[s->next++] : 0;
	if (!real && s->ints < INTS_END) {
		at = s->regs + s->ints;
		s->ints += 8;
	} else if (real && s->reals < REALS_END) {
		at = s->regs + s->reals;
		s->reals += 16;
	} else {
		at = s->more;
		s->more += 8;
	}
	return library_word(s->m, s->k, at, 8);
}

long double format_long_double(struct format_source *s)
{
	long double value = 0;

	if (!s->list) {
		(void)format_word(s, false);
		return 0;
	}
	s->more = (s->more + 15) & ~UINT64_C(15);
	library_get(s->m, s->k, s->more, &value, 10);
	s->more += 16;
	return value;
}

static int number(const char **at, struct format_source *s)
{
	int n = 0;

	if (**at == '*') {
		(*at)++;
		return (int)(int32_t)format_word(s, false);
	}
	while (**at >= '0' && **at <= '9' && n < 1000000)
		n = n * 10 + (*(*at)++ - '0');
	return n;
}

struct format_conversion format_next(const char **at, struct format_source *s)
{
	struct format_conversion c = {.precision = -1, .literal = *at};
	const char *p = *at;
	char flags[8] = "";
	size_t n = 0, sizes = 0;
	int width = -1;

	while (*p && *p != '%')
		p++;
	c.literal_bytes = (size_t)(p - *at);
	if (!*p) {
		*at = p;
		return c;
	}
	p++;
	while (*p && strchr("-+ #0'I", *p)) {
		if (n < sizeof(flags) - 1)
			flags[n++] = *p;
		p++;
	}
	if (*p == '*' || (*p >= '0' && *p <= '9'))
		width = number(&p, s);
	if (*p == '.') {
		p++;
		c.precision = number(&p, s);
	}
	while (*p && strchr("hlLqjzt", *p)) {
		if (sizes < sizeof(c.size) - 1)
			c.size[sizes++] = *p;
		p++;
	}
	c.kind = *p;
	*at = *p ? p + 1 : p;
	n = (size_t)snprintf(c.text, sizeof(c.text), "%%%s", flags);
	if (width >= 0)
		n += (size_t)snprintf(c.text + n, sizeof(c.text) - n, "%d", width);
	else if (width < -1)
		n += (size_t)snprintf(c.text + n, sizeof(c.text) - n, "-%d", -width);
	if (c.precision >= 0)
		n += (size_t)snprintf(c.text + n, sizeof(c.text) - n, ".%d", c.precision);
	snprintf(c.text + n, sizeof(c.text) - n, "%s%c", c.size, c.kind);
	return c;
}

#pragma GCC diagnostic ignored "-Wformat-nonliteral"

static void add_string(const struct format_conversion *c, struct format_source *s,
		       struct strbuf *to)
{
	uint64_t addr = format_word(s, false);
	char *text = NULL;

	if (!addr) {
		strbuf_addf(to, c->text, "(null)");
		return;
	}
	if (c->precision >= 0) {
		text = xcalloc((size_t)c->precision + 1, 1);
		for (int i = 0; i < c->precision; i++) {
			library_get(s->m, s->k, addr + (uint64_t)i, text + i, 1);
			if (!text[i])
				break;
		}
	} else {
		text = library_string(s->m, s->k, addr);
	}
	strbuf_addf(to, c->text, text);
	free(text);
}

static void add_real(const struct format_conversion *c, struct format_source *s, struct strbuf *to)
{
	uint64_t bits;
	double value;

	if (c->size[0] == 'L') {
		strbuf_addf(to, c->text, format_long_double(s));
		return;
	}
	bits = format_word(s, true);
	memcpy(&value, &bits, sizeof(value));
	strbuf_addf(to, c->text, value);
}

static void add_integer(const struct format_conversion *c, struct format_source *s,
			struct strbuf *to)
{
	uint64_t word = format_word(s, false);

	if (c->kind == 'p')
		strbuf_addf(to, c->text, (void *)word);
	else if (c->size[0] == 'h' || !c->size[0])
		strbuf_addf(to, c->text, (int)(int32_t)word);
	else
		strbuf_addf(to, c->text, (long)word);
}

void format_text(const char *format, struct format_source *s, struct strbuf *to)
{
	for (;;) {
		struct format_conversion c = format_next(&format, s);

		strbuf_add_bytes(to, c.literal, c.literal_bytes);
		if (!c.kind)
			return;
		if (c.kind == '%')
			strbuf_add_char(to, '%');
		else if (c.kind == 's' && c.size[0] != 'l')
			add_string(&c, s, to);
		else if (strchr("eEfFgGaA", c.kind))
			add_real(&c, s, to);
		else if (strchr("diouxXcp", c.kind))
			add_integer(&c, s, to);
		else
			(void)format_word(s, false);
	}
}
