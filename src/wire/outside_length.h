/*
 * How much a word of effects touches: LEN of outside.h, for whoever can look at the arguments of a
 * call and at memory.  The guest looks at its own process, the symbolic machine at the memory it
 * keeps; what the words mean is said here once.
 */
#ifndef HEDDLE_WIRE_OUTSIDE_LENGTH_H
#define HEDDLE_WIRE_OUTSIDE_LENGTH_H

#include <stdbool.h>
#include <stdint.h>

#include "wire/outside.h"

#define OUTSIDE_NO_LIMIT UINT64_MAX
#define OUTSIDE_FIRST_PAGE 4096 /* addresses below it point to nothing */
#define OUTSIDE_MAX_PIECES 64	/* bytes that are read one by one */
#define OUTSIDE_WIDE 4		/* bytes of a wide character */
#define OUTSIDE_POLLFD 8	/* bytes of a struct pollfd, and what poll() writes of it */
#define OUTSIDE_REVENTS 6
#define OUTSIDE_REVENTS_BYTES 2

struct outside_view {
	void *call;
	int64_t result;
	uint64_t (*arg)(void *call, unsigned n); /* 0 when there is none */
	uint8_t (*byte)(void *call, uint64_t addr);
	uint64_t (*word)(void *call, uint64_t addr); /* 4 bytes */
	/* Bytes of a string with its NUL, at most limit. */
	uint64_t (*string)(void *call, uint64_t addr, uint64_t limit);
	void (*reads)(void *call, uint64_t addr, uint64_t bytes);
	void (*reads_string)(void *call, uint64_t addr, uint64_t limit);
};

/* The number of an argument in the words of effects. */
static inline uint32_t outside_digit(char c)
{
	return c >= '0' && c <= '9' ? (uint32_t)(c - '0') : (uint32_t)(c - 'a') + 10;
}

static inline uint64_t outside_view_arg(const struct outside_view *v, char digit)
{
	return v->arg(v->call, outside_digit(digit));
}

/* The argument whose digit stands there, `otherwise' when the word is over. */
static inline uint64_t outside_view_option(const struct outside_view *v, const char *at,
					   uint64_t otherwise)
{
	return *at && *at != ' ' ? outside_view_arg(v, *at) : otherwise;
}

static inline uint64_t outside_decimal(const char *at)
{
	uint64_t n = 0;

	while (*at >= '0' && *at <= '9')
		n = n * 10 + (uint64_t)(*at++ - '0');
	return n;
}

/* "*4" or "*a2" behind a length. */
static inline uint64_t outside_times(const struct outside_view *v, const char *at, uint64_t n)
{
	uint64_t factor, product;

	if (*at != '*')
		return n;
	factor = at[1] == 'a' ? outside_view_arg(v, at[2]) : outside_decimal(at + 1);
	return __builtin_mul_overflow(n, factor, &product) ? 0 : product;
}

/* With its NUL, at most so many characters. */
static inline uint64_t outside_wide(const struct outside_view *v, uint64_t addr, uint64_t limit)
{
	uint64_t n = 0;

	if (addr < OUTSIDE_FIRST_PAGE)
		return 0;
	for (; n < limit; n++) {
		uint64_t at = addr + n * OUTSIDE_WIDE;

		if (!v->byte(v->call, at) && !v->byte(v->call, at + 1) &&
		    !v->byte(v->call, at + 2) && !v->byte(v->call, at + 3))
			break;
	}
	return (n + (n < limit)) * OUTSIDE_WIDE;
}

/* Up to and including the byte `stop'. */
static inline uint64_t outside_find_byte(const struct outside_view *v, uint64_t addr, uint64_t stop,
					 uint64_t limit)
{
	uint64_t n = 0;

	while (addr >= OUTSIDE_FIRST_PAGE && n < limit &&
	       v->byte(v->call, addr + n) != (uint8_t)stop)
		n++;
	return n < limit ? n + 1 : n;
}

static inline uint64_t outside_blanks(const struct outside_view *v, uint64_t addr)
{
	uint64_t n = 0;
	uint8_t c;

	while ((c = v->byte(v->call, addr + n)) == ' ' || (c >= '\t' && c <= '\r'))
		n++;
	return n;
}

#define OUTSIDE_NO_DIGIT 99

static inline unsigned outside_digit_value(uint8_t c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'z')
		return c - 'a' + 10u;
	return c >= 'A' && c <= 'Z' ? c - 'A' + 10u : OUTSIDE_NO_DIGIT;
}

/* How much is a number in that base, 0 standing for C's own, and the byte that ends it. */
static inline uint64_t outside_integer(const struct outside_view *v, uint64_t addr, uint64_t base)
{
	uint64_t n = outside_blanks(v, addr);
	uint8_t c = v->byte(v->call, addr + n);

	if (c == '+' || c == '-')
		c = v->byte(v->call, addr + ++n);
	if ((base == 0 || base == 16) && c == '0' && (v->byte(v->call, addr + n + 1) | 32) == 'x') {
		n += 2;
		base = 16;
	} else if (base == 0) {
		base = c == '0' ? 8 : 10;
	}
	while (outside_digit_value(v->byte(v->call, addr + n)) < base)
		n++;
	return n + 1;
}

/* The same of one with a fraction: no less than is read of any. */
static inline uint64_t outside_real(const struct outside_view *v, uint64_t addr)
{
	uint64_t n = outside_blanks(v, addr);

	for (;; n++) {
		uint8_t c = v->byte(v->call, addr + n);

		if (c != '+' && c != '-' && c != '.' && c != '(' && c != ')' && c != '_' &&
		    outside_digit_value(c) == OUTSIDE_NO_DIGIT)
			return n + 1;
	}
}

/* Bytes of an address of that family (AF_INET, AF_INET6). */
static inline uint64_t outside_address(uint64_t family)
{
	return family == 2 ? 4 : family == 10 ? 16 : 0;
}

/* "1", "1,2": a copy of the string at an argument, with a NUL. */
static inline uint64_t outside_copy(const struct outside_view *v, const char *at)
{
	uint64_t limit = at[1] == ',' ? outside_view_arg(v, at[2]) : OUTSIDE_NO_LIMIT;
	uint64_t from = outside_view_arg(v, *at), n = v->string(v->call, from, limit);

	if (limit == OUTSIDE_NO_LIMIT)
		return n;
	return n && !v->byte(v->call, from + n - 1) ? n : n + 1;
}

/*
 * "", "1", "1*4": a text as long as the result says and what ends it, at most so many characters.
 * Nobody says how much of it there is when the call has failed.
 */
static inline uint64_t outside_text(const struct outside_view *v, const char *at, uint64_t addr)
{
	bool limited = *at && *at != ' ';
	uint64_t limit = limited ? outside_view_arg(v, *at) : OUTSIDE_NO_LIMIT;
	uint64_t n = v->result >= 0 ? (uint64_t)v->result + 1 : limit;

	if (n == OUTSIDE_NO_LIMIT)
		return v->string(v->call, addr, n);
	return outside_times(v, limited ? at + 1 : at, n < limit ? n : limit);
}

/* "12": the result says how many items of argument 1 bytes; the next may be there in part. */
static inline uint64_t outside_items(const struct outside_view *v, const char *at)
{
	uint64_t size = outside_view_arg(v, at[0]), count = outside_view_arg(v, at[1]);
	uint64_t whole = v->result > 0 ? (uint64_t)v->result : 0, bytes;

	if (!size || __builtin_mul_overflow(size, count, &bytes) || whole > count)
		return 0;
	return whole < count ? whole * size + size - 1 : bytes;
}

/* "1": a line, at most so many bytes.  A NUL may be the end of the input or one of the line. */
static inline uint64_t outside_line(const struct outside_view *v, const char *at, uint64_t addr)
{
	uint64_t limit = outside_view_arg(v, *at), n = v->string(v->call, addr, limit);

	return n >= 2 && v->byte(v->call, addr + n - 2) == '\n' ? n : limit;
}

/* The length that `at' says, of what lies at addr. */
static inline uint64_t outside_length(const struct outside_view *v, const char *at, uint64_t addr)
{
	uint64_t n;

	switch (*at) {
	case 's':
		return v->string(v->call, addr, outside_view_option(v, at + 1, OUTSIDE_NO_LIMIT));
	case 'a':
		return outside_times(v, at + 2, outside_view_arg(v, at[1]));
	case 'R':
		return v->result > 0 ? outside_times(v, at + 1, (uint64_t)v->result) : 0;
	case 'l':
		return outside_text(v, at + 1, addr);
	case 'o':
		return outside_items(v, at + 1);
	case 'y':
		return outside_line(v, at + 1, addr);
	case 'k':
		return outside_view_arg(v, at[1]) * OUTSIDE_POLLFD;
	case 'e':
		return outside_view_arg(v, at[1]) & ~UINT64_C(1);
	case 'W':
		return outside_wide(v, addr, outside_view_option(v, at + 1, OUTSIDE_NO_LIMIT));
	case 'n':
		return outside_integer(v, addr, outside_view_option(v, at + 1, 10));
	case 'N':
		return outside_real(v, addr);
	case 'v':
		n = outside_view_arg(v, at[1]);
		return n < OUTSIDE_FIRST_PAGE ? 0 : v->word(v->call, n);
	case 'i':
		return outside_address(outside_view_arg(v, at[1]));
	case 'f':
		return outside_find_byte(v, addr, outside_view_arg(v, at[1]),
					 at[2] == ',' ? outside_view_arg(v, at[3])
						      : OUTSIDE_NO_LIMIT);
	case '=':
		return outside_copy(v, at + 1);
	default:
		return outside_decimal(at);
	}
}

/* Whether the length of what is written is known before the call. */
static inline bool outside_known_before(const char *len)
{
	return *len == '=' || *len == 'a' || *len == 'e' || *len == 'k' || *len == 'f' ||
	       *len == 'i' || (*len >= '0' && *len <= '9');
}

/*
 * "rA:LEN": strings are events of their own kind, because what they hold decides how long; so do
 * the pieces of others, where what one holds decides whether the next is read.
 */
static inline void outside_read_word(const struct outside_view *v, const char *word)
{
	uint64_t addr = outside_view_arg(v, word[1]), n, piece;
	const char *len = word + 3;

	if (addr < OUTSIDE_FIRST_PAGE)
		return;
	if (*len == 's') {
		v->reads_string(v->call, addr, outside_view_option(v, len + 1, OUTSIDE_NO_LIMIT));
		return;
	}
	n = outside_length(v, len, addr);
	piece = *len == 'W' ? OUTSIDE_WIDE : n;
	if ((*len == 'n' || *len == 'N' || *len == 'f') && n <= OUTSIDE_MAX_PIECES)
		piece = 1;
	for (uint64_t at = 0; at < n; at += piece)
		v->reads(v->call, addr + at, piece);
}

#endif
