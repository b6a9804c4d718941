#include "base/strbuf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* Makes room for n more bytes and the terminator. */
static void reserve(struct strbuf *b, size_t n)
{
	size_t need = b->length + n + 1, capacity = b->capacity ? b->capacity : 64;

	if (need <= b->capacity)
		return;
	while (capacity < need)
		capacity *= 2;
	b->text = xrealloc(b->text, capacity, 1);
	b->capacity = capacity;
}

void strbuf_add(struct strbuf *b, const char *text)
{
	strbuf_add_bytes(b, text, strlen(text));
}

void strbuf_add_bytes(struct strbuf *b, const void *bytes, size_t n)
{
	reserve(b, n);
	if (n)
		memcpy(b->text + b->length, bytes, n);
	b->length += n;
	b->text[b->length] = '\0';
}

void strbuf_add_char(struct strbuf *b, char c)
{
	strbuf_add_bytes(b, &c, 1);
}

void strbuf_addf(struct strbuf *b, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	strbuf_vaddf(b, format, args);
	va_end(args);
}

void strbuf_add_seconds(struct strbuf *b, uint64_t ns)
{
	double seconds = (double)ns / 1e9;

	if (ns < 1000000)
		strbuf_add(b, ns ? "0.001" : "0");
	else
		strbuf_addf(b, seconds < 1 ? "%.2g" : seconds < 10 ? "%.1f" : "%.0f", seconds);
}

void strbuf_vaddf(struct strbuf *b, const char *format, va_list args)
{
	va_list again;
	int n;

	va_copy(again, args);
	n = vsnprintf(NULL, 0, format, again);
	va_end(again);
	if (n < 0)
		return;
	reserve(b, (size_t)n);
	vsnprintf(b->text + b->length, (size_t)n + 1, format, args);
	b->length += (size_t)n;
}

void strbuf_clear(struct strbuf *b)
{
	b->length = 0;
	if (b->text)
		b->text[0] = '\0';
}

char *strbuf_take(struct strbuf *b)
{
	char *text;

	reserve(b, 0);
	b->text[b->length] = '\0';
	text = b->text;
	*b = (struct strbuf)STRBUF_INIT;
	return text;
}

void strbuf_free(struct strbuf *b)
{
	free(b->text);
	*b = (struct strbuf)STRBUF_INIT;
}
