/*
 * Writes JSON text into a strbuf.  Commas, indentation and escaping are done here; invalid UTF-8
 * bytes come out as \ufffd.  name is the member's name inside an object, NULL inside an array.
 */
#ifndef HEDDLE_BASE_JSON_OUT_H
#define HEDDLE_BASE_JSON_OUT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/strbuf.h"

struct json_out {
	struct strbuf *to;
	int depth;
	bool first[32];
};

void json_out_init(struct json_out *j, struct strbuf *to);
void json_out_object_begin(struct json_out *j, const char *name);
void json_out_object_end(struct json_out *j);
void json_out_array_begin(struct json_out *j, const char *name);
void json_out_array_end(struct json_out *j);
void json_out_string(struct json_out *j, const char *name, const char *value); /* NULL -> null */
void json_out_int(struct json_out *j, const char *name, int64_t value);
void json_out_uint(struct json_out *j, const char *name, uint64_t value);
void json_out_hex(struct json_out *j, const char *name, uint64_t value); /* as a string "0x…" */
void json_out_real(struct json_out *j, const char *name, double value);
/* text is a value in JSON already, the caller's care. */
void json_out_raw(struct json_out *j, const char *name, const char *text);
void json_out_bool(struct json_out *j, const char *name, bool value);

#endif
