#include "trace/codec.h"

#include <endian.h>
#include <string.h>

#include "base/mem.h"

void trace_put_u8(struct strbuf *b, uint8_t value)
{
	strbuf_add_bytes(b, &value, 1);
}

void trace_put_u16(struct strbuf *b, uint16_t value)
{
	value = htole16(value);
	strbuf_add_bytes(b, &value, sizeof(value));
}

void trace_put_u32(struct strbuf *b, uint32_t value)
{
	value = htole32(value);
	strbuf_add_bytes(b, &value, sizeof(value));
}

void trace_put_u64(struct strbuf *b, uint64_t value)
{
	value = htole64(value);
	strbuf_add_bytes(b, &value, sizeof(value));
}

void trace_put_string(struct strbuf *b, const char *text)
{
	size_t n = text ? strlen(text) : 0;

	trace_put_u32(b, (uint32_t)n);
	strbuf_add_bytes(b, text, n);
}

uint16_t trace_load_u16(const uint8_t *p)
{
	uint16_t value;

	memcpy(&value, p, sizeof(value));
	return le16toh(value);
}

uint32_t trace_load_u32(const uint8_t *p)
{
	uint32_t value;

	memcpy(&value, p, sizeof(value));
	return le32toh(value);
}

uint64_t trace_load_u64(const uint8_t *p)
{
	uint64_t value;

	memcpy(&value, p, sizeof(value));
	return le64toh(value);
}

void trace_get_init(struct trace_get *g, const void *bytes, size_t n)
{
	g->at = bytes;
	g->end = n ? g->at + n : g->at;
	g->bad = false;
}

const void *trace_get_bytes(struct trace_get *g, uint64_t n)
{
	const uint8_t *p = g->at;

	if (g->bad || n > (uint64_t)(g->end - g->at)) {
		g->bad = true;
		return NULL;
	}
	g->at += n;
	return p;
}

uint8_t trace_get_u8(struct trace_get *g)
{
	const uint8_t *p = trace_get_bytes(g, 1);

	return p ? *p : 0;
}

uint16_t trace_get_u16(struct trace_get *g)
{
	const uint8_t *p = trace_get_bytes(g, 2);

	return p ? trace_load_u16(p) : 0;
}

uint32_t trace_get_u32(struct trace_get *g)
{
	const uint8_t *p = trace_get_bytes(g, 4);

	return p ? trace_load_u32(p) : 0;
}

uint64_t trace_get_u64(struct trace_get *g)
{
	const uint8_t *p = trace_get_bytes(g, 8);

	return p ? trace_load_u64(p) : 0;
}

char *trace_get_string(struct trace_get *g)
{
	uint32_t n = trace_get_u32(g);
	const char *p = trace_get_bytes(g, n);

	if (!p)
		return NULL;
	if (memchr(p, '\0', n)) {
		g->bad = true;
		return NULL;
	}
	return xstrndup(p, n);
}

void trace_get_text(struct trace_get *g, char *to, size_t n)
{
	uint32_t length = trace_get_u32(g);
	const char *p = trace_get_bytes(g, length);

	memset(to, 0, n);
	if (!p)
		return;
	if (length >= n || memchr(p, '\0', length))
		g->bad = true;
	else
		memcpy(to, p, length);
}

uint32_t trace_get_count(struct trace_get *g, size_t item_bytes)
{
	uint32_t n = trace_get_u32(g);

	if (g->bad || n > (uint64_t)(g->end - g->at) / item_bytes) {
		g->bad = true;
		return 0;
	}
	return n;
}

bool trace_get_finished(const struct trace_get *g)
{
	return !g->bad && g->at == g->end;
}
