/* A growing string.  text is always NUL-terminated and never NULL after the first append. */
#ifndef HEDDLE_BASE_STRBUF_H
#define HEDDLE_BASE_STRBUF_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

struct strbuf {
	char *text;
	size_t length, capacity;
};

#define STRBUF_INIT                                                                                \
	{                                                                                          \
		NULL, 0, 0                                                                         \
	}

void strbuf_add(struct strbuf *b, const char *text);
void strbuf_add_bytes(struct strbuf *b, const void *bytes, size_t n);
void strbuf_add_char(struct strbuf *b, char c);
void strbuf_addf(struct strbuf *b, const char *format, ...) __attribute__((format(printf, 2, 3)));
void strbuf_vaddf(struct strbuf *b, const char *format, va_list args)
	__attribute__((format(printf, 2, 0)));
/* Seconds for people: "0.012", "3.4", "150". */
void strbuf_add_seconds(struct strbuf *b, uint64_t ns);
void strbuf_clear(struct strbuf *b);
/* Hands the string to the caller (to free) and leaves b empty; "" when nothing was added. */
char *strbuf_take(struct strbuf *b);
void strbuf_free(struct strbuf *b);

#endif
