/* Formats of printf: their conversions and where the arguments come from.  Private to symex. */
#ifndef HEDDLE_SYMEX_FORMAT_H
#define HEDDLE_SYMEX_FORMAT_H

#include "base/strbuf.h"
#include "symex/library/library.h"

/* Arguments: words of a call, or a va_list of the x86-64 ABI in the program's memory. */
struct format_source {
	struct machine *m;
	struct library_call *k;
	const uint64_t *words;
	unsigned next, count;
	bool list;
	uint32_t ints, reals;
	uint64_t more, regs;
};

void format_open_words(struct format_source *s, struct machine *m, struct library_call *k,
		       const uint64_t *words, unsigned first, unsigned count);
void format_open_list(struct format_source *s, struct machine *m, struct library_call *k,
		      uint64_t at);
uint64_t format_word(struct format_source *s, bool real);
long double format_long_double(struct format_source *s);

struct format_conversion {
	char text[64]; /* as for the host's printf, without '*' */
	char kind;     /* 0 at the end */
	char size[3];
	int precision;	     /* -1: none */
	const char *literal; /* what comes before it */
	size_t literal_bytes;
};

/* The next conversion; *at moves behind it. */
struct format_conversion format_next(const char **at, struct format_source *s);
void format_text(const char *format, struct format_source *s, struct strbuf *to);

#endif
