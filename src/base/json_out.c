#include "base/json_out.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/utf8.h"

#define MAX_DEPTH ((int)(sizeof(((struct json_out *)0)->first) / sizeof(bool)))

void json_out_init(struct json_out *j, struct strbuf *to)
{
	memset(j, 0, sizeof(*j));
	j->to = to;
	j->first[0] = true;
}

static void add_escaped(struct strbuf *to, unsigned char c)
{
	switch (c) {
	case '"':
		strbuf_add(to, "\\\"");
		break;
	case '\\':
		strbuf_add(to, "\\\\");
		break;
	case '\n':
		strbuf_add(to, "\\n");
		break;
	case '\t':
		strbuf_add(to, "\\t");
		break;
	case '\r':
		strbuf_add(to, "\\r");
		break;
	default:
		if (c < 0x20 || c == 0x7f)
			strbuf_addf(to, "\\u%04x", c);
		else
			strbuf_add_char(to, (char)c);
	}
}

static void add_quoted(struct strbuf *to, const char *value)
{
	const unsigned char *c = (const unsigned char *)value;

	strbuf_add_char(to, '"');
	while (*c) {
		size_t n = utf8_length(c);

		if (n == 0)
			strbuf_add(to, "\\ufffd");
		else if (n == 1)
			add_escaped(to, *c);
		else
			strbuf_add_bytes(to, c, n);
		c += n ? n : 1;
	}
	strbuf_add_char(to, '"');
}

static void indent(struct json_out *j)
{
	strbuf_add_char(j->to, '\n');
	for (int i = 0; i < j->depth; i++)
		strbuf_add(j->to, "  ");
}

/* Comma, line and name before a value. */
static void begin_value(struct json_out *j, const char *name)
{
	if (j->depth > 0) {
		if (!j->first[j->depth])
			strbuf_add_char(j->to, ',');
		indent(j);
	}
	j->first[j->depth] = false;
	if (name) {
		add_quoted(j->to, name);
		strbuf_add(j->to, ": ");
	}
}

static void open_level(struct json_out *j, const char *name, char bracket)
{
	begin_value(j, name);
	strbuf_add_char(j->to, bracket);
	j->depth++;
	assert(j->depth < MAX_DEPTH);
	j->first[j->depth] = true;
}

static void close_level(struct json_out *j, char bracket)
{
	bool empty = j->first[j->depth];

	assert(j->depth > 0);
	j->depth--;
	if (!empty)
		indent(j);
	strbuf_add_char(j->to, bracket);
	if (j->depth == 0)
		strbuf_add_char(j->to, '\n');
}

void json_out_object_begin(struct json_out *j, const char *name)
{
	open_level(j, name, '{');
}

void json_out_object_end(struct json_out *j)
{
	close_level(j, '}');
}

void json_out_array_begin(struct json_out *j, const char *name)
{
	open_level(j, name, '[');
}

void json_out_array_end(struct json_out *j)
{
	close_level(j, ']');
}

void json_out_string(struct json_out *j, const char *name, const char *value)
{
	begin_value(j, name);
	if (value)
		add_quoted(j->to, value);
	else
		strbuf_add(j->to, "null");
}

void json_out_int(struct json_out *j, const char *name, int64_t value)
{
	begin_value(j, name);
	strbuf_addf(j->to, "%" PRId64, value);
}

void json_out_uint(struct json_out *j, const char *name, uint64_t value)
{
	begin_value(j, name);
	strbuf_addf(j->to, "%" PRIu64, value);
}

void json_out_hex(struct json_out *j, const char *name, uint64_t value)
{
	begin_value(j, name);
	strbuf_addf(j->to, "\"0x%" PRIx64 "\"", value);
}

void json_out_real(struct json_out *j, const char *name, double value)
{
	begin_value(j, name);
	if (isfinite(value))
		strbuf_addf(j->to, "%.9g", value);
	else
		strbuf_add(j->to, "null");
}

void json_out_raw(struct json_out *j, const char *name, const char *text)
{
	begin_value(j, name);
	strbuf_add(j->to, text);
}

void json_out_bool(struct json_out *j, const char *name, bool value)
{
	begin_value(j, name);
	strbuf_add(j->to, value ? "true" : "false");
}
