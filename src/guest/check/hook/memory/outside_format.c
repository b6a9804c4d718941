/* What the formats of printf and scanf say about memory. */
#include <string.h>

#include "guest/check/hook/memory/outside.h"
#include "guest/check/mem/undo.h"

/* A va_list of the x86-64 ABI, walked through on a copy. */
struct list {
	uint32_t gp_offset, fp_offset;
	uint64_t overflow, registers;
};

#define GP_END 48
#define FP_END 176

/* Where the next argument comes from. */
struct source {
	const struct outside_call *k;
	uint32_t format, next; /* arguments of the call */
	bool is_list;
	struct list list;
};

struct conversion {
	char kind;		  /* 'd', 's', … or 0 at the end of the format */
	char size[3];		  /* length modifier */
	bool skips;		  /* scanf: '*' */
	bool allocates;		  /* scanf: 'm' */
	int64_t width, precision; /* -1: none */
	int32_t position;	  /* "%2$s": 2; 0: the next one */
};

static uint64_t next_word(struct source *s, bool real)
{
	uint64_t *at;

	if (!s->is_list)
		return outside_arg(s->k, s->next++);
	if (!real && s->list.gp_offset < GP_END) {
		at = (uint64_t *)(s->list.registers + s->list.gp_offset);
		s->list.gp_offset += 8;
		return *at;
	}
	if (real && s->list.fp_offset < FP_END) {
		s->list.fp_offset += 16;
		return 0;
	}
	at = (uint64_t *)s->list.overflow;
	s->list.overflow += 8;
	return *at;
}

/* A long double lies in memory, 16 bytes on a boundary of 16. */
static void skip_long_double(struct source *s)
{
	if (!s->is_list) {
		s->next++;
		return;
	}
	s->list.overflow = ((s->list.overflow + 15) & ~UINT64_C(15)) + 16;
}

static struct source open_source(const struct outside_call *k, uint32_t format, bool list)
{
	struct source s = {.k = k, .format = format, .next = format + 1, .is_list = list};

	if (list)
		memcpy(&s.list, (const void *)outside_arg(k, format + 1), sizeof(s.list));
	return s;
}

/* ---- formats ---- */

static int64_t digits(const char **at)
{
	int64_t n = 0;

	while (**at >= '0' && **at <= '9' && n < INT32_MAX)
		n = n * 10 + (*(*at)++ - '0');
	return n;
}

static void take_size(const char **at, struct conversion *c)
{
	uint32_t n = 0;

	while (**at && strchr("hlLqjzt", **at)) {
		if (n < sizeof(c->size) - 1)
			c->size[n++] = **at;
		(*at)++;
	}
}

/* "%2$": stays put when there is none. */
static int32_t take_position(const char **at)
{
	const char *end = *at;
	int64_t n = digits(&end);

	if (end == *at || *end != '$')
		return 0;
	*at = end + 1;
	return (int32_t)n;
}

/* The argument with that number.  Where those of a list lie depends on all the others. */
static void go_to(struct source *s, uint32_t format, int32_t position)
{
	if (!position)
		return;
	if (s->is_list)
		rt_unseen(s->k->site, "a list of arguments that the format takes by their numbers");
	else
		s->next = format + (uint32_t)position;
}

static int64_t star_or_digits(const char **at, struct source *s)
{
	uint32_t next;
	int64_t n;

	if (**at != '*')
		return digits(at);
	(*at)++;
	next = s->next;
	go_to(s, s->format, take_position(at));
	n = (int32_t)next_word(s, false);
	if ((*at)[-1] == '$')
		s->next = next;
	return n;
}

/* Moves behind the '%' of the next conversion; false when there is none. */
static bool to_conversion(const char **at)
{
	for (;; *at += 2) {
		while (**at && **at != '%')
			(*at)++;
		if (!**at)
			return false;
		if ((*at)[1] != '%') {
			(*at)++;
			return true;
		}
	}
}

/* The next conversion of a printf format; *at moves behind it. */
static struct conversion print_conversion(const char **at, struct source *s)
{
	struct conversion c = {.width = -1, .precision = -1};

	if (!to_conversion(at))
		return c;
	c.position = take_position(at);
	while (**at && strchr("-+ #0'I", **at))
		(*at)++;
	if (**at == '*' || (**at >= '0' && **at <= '9'))
		c.width = star_or_digits(at, s);
	if (**at == '.') {
		(*at)++;
		c.precision = star_or_digits(at, s);
	}
	take_size(at, &c);
	c.kind = **at;
	*at += **at != 0;
	return c;
}

/* Bytes of an integer result: %n, and what scanf stores. */
static uint64_t integer_bytes(const struct conversion *c)
{
	if (c->size[0] == 'h')
		return c->size[1] == 'h' ? 1 : 2;
	return c->size[0] ? 8 : 4;
}

/* A wide string, at most so many characters: what one holds decides whether the next is read. */
static void reads_wide(struct outside_call *k, uint64_t addr, uint64_t limit)
{
	for (uint64_t i = 0; addr && i < limit; i++) {
		outside_reads(k, addr + i * OUTSIDE_WIDE, OUTSIDE_WIDE, 0);
		if (!((const uint32_t *)addr)[i])
			return;
	}
}

static void print_one(struct outside_call *k, const struct conversion *c, struct source *s)
{
	uint64_t limit = c->precision >= 0 ? (uint64_t)c->precision : UINT64_MAX, word;

	if (c->kind == 'm')
		return;
	if (strchr("eEfFgGaA", c->kind)) {
		if (c->size[0] == 'L')
			skip_long_double(s);
		else
			next_word(s, true);
		return;
	}
	word = next_word(s, false);
	if (c->kind == 'n' && k->after)
		outside_wrote(k, word, integer_bytes(c));
	else if (c->kind == 'n' && word)
		undo_touch((void *)word, integer_bytes(c));
	if (k->after)
		return;
	if (c->kind == 's' && c->size[0] != 'l')
		outside_reads_string(k, word, limit);
	else if (c->kind == 'S' || (c->kind == 's' && c->size[0] == 'l'))
		reads_wide(k, word, limit);
}

void outside_printf(struct outside_call *k, uint32_t format, bool list)
{
	const char *at = (const char *)outside_arg(k, format);
	struct source s;
	struct conversion c;

	if (!at)
		return;
	if (!k->after)
		outside_reads_string(k, (uint64_t)at, UINT64_MAX);
	s = open_source(k, format, list);
	for (c = print_conversion(&at, &s); c.kind; c = print_conversion(&at, &s)) {
		go_to(&s, format, c.position);
		print_one(k, &c, &s);
	}
}

/* ---- scanf ---- */

/* Behind "[...]", where ']' may come first. */
static void skip_set(const char **at)
{
	(*at)++;
	if (**at == '^')
		(*at)++;
	if (**at == ']')
		(*at)++;
	while (**at && **at != ']')
		(*at)++;
}

static struct conversion scan_conversion(const char **at)
{
	struct conversion c = {.width = -1, .precision = -1};

	if (!to_conversion(at))
		return c;
	c.position = take_position(at);
	while (**at && strchr("*'I", **at)) {
		c.skips |= **at == '*';
		(*at)++;
	}
	if (**at >= '0' && **at <= '9')
		c.width = digits(at);
	if (**at == 'm') {
		c.allocates = true;
		(*at)++;
	}
	take_size(at, &c);
	c.kind = **at;
	if (c.kind == '[')
		skip_set(at);
	*at += **at != 0;
	return c;
}

static uint64_t wide_bytes(uint64_t addr)
{
	const uint32_t *at = (const uint32_t *)addr;
	uint64_t n = 0;

	while (addr && at[n])
		n++;
	return (n + 1) * OUTSIDE_WIDE;
}

static uint64_t scanned_bytes(const struct outside_call *k, const struct conversion *c,
			      uint64_t addr)
{
	switch (c->kind) {
	case 'C':
		return (c->width > 0 ? (uint64_t)c->width : 1) * OUTSIDE_WIDE;
	case 'c':
		return (c->width > 0 ? (uint64_t)c->width : 1) * (c->size[0] == 'l' ? 4 : 1);
	case 's':
	case '[':
		return c->size[0] == 'l' ? wide_bytes(addr) : outside_string(k, addr, UINT64_MAX);
	case 'S':
		return wide_bytes(addr);
	case 'e':
	case 'E':
	case 'f':
	case 'g':
	case 'G':
	case 'a':
	case 'A':
		return c->size[0] == 'L' ? 16 : c->size[0] == 'l' ? 8 : 4;
	case 'p':
		return 8;
	default:
		return integer_bytes(c);
	}
}

/* The first ones, as many as the result says, were stored; what follows the last may be a %n. */
void outside_scanf(struct outside_call *k, uint32_t format, bool list)
{
	const char *at = (const char *)outside_arg(k, format);
	struct source s;
	struct conversion c;
	int64_t stored = 0;

	if (!at || k->result < 0)
		return;
	s = open_source(k, format, list);
	for (c = scan_conversion(&at); c.kind; c = scan_conversion(&at)) {
		uint64_t addr;

		if (c.skips)
			continue;
		if (c.kind != 'n' && stored++ >= k->result)
			return;
		go_to(&s, format, c.position);
		addr = next_word(&s, false);
		outside_wrote(k, addr, c.allocates ? 8 : scanned_bytes(k, &c, addr));
		if (c.allocates && addr) {
			addr = *(const uint64_t *)addr;
			outside_wrote(k, addr, scanned_bytes(k, &c, addr));
		}
	}
}
