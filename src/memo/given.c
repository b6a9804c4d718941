#include "memo/given.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const struct {
	const char *name;
	uint8_t width;
	bool based; /* takes a base */
} functions[MEMO_FUNCTIONS] = {
	[MEMO_ATOI] = {"atoi", 32, false},
	[MEMO_STRTOL] = {"strtol", 64, true},
	[MEMO_STRTOUL] = {"strtoul", 64, true},
	[MEMO_STRLEN] = {"strlen", 64, false},
	[MEMO_STRTOL_ERROR] = {"error of strtol", 32, true},
	[MEMO_STRTOUL_ERROR] = {"error of strtoul", 32, true},
};

int memo_function_named(const char *name)
{
	if (!strcmp(name, "atol") || !strcmp(name, "atoll"))
		return MEMO_STRTOL;
	for (int i = 0; i < MEMO_FUNCTIONS; i++)
		if (!strcmp(functions[i].name, name))
			return i;
	return -1;
}

static bool base_valid(const struct memo_input *in)
{
	if (!functions[in->function].based)
		return in->base == 0;
	return in->base == 0 || (in->base >= 2 && in->base <= 36);
}

static bool is_variable(const struct memo_input *in)
{
	return in->kind == MEMO_ENV_SET || in->kind == MEMO_ENV_BYTE || in->kind == MEMO_ENV_TEXT;
}

bool memo_variable_named(const char *name)
{
	size_t n = strlen(name);

	return n && n < MEMO_NAME && !strchr(name, '=') && strcmp(name, "LD_PRELOAD") &&
	       strncmp(name, "HEDDLE_", 7);
}

/* All characters behind the end are 0, so that equal names are equal bytes. */
static bool name_valid(const struct memo_input *in)
{
	size_t n = strnlen(in->name, MEMO_NAME);

	for (size_t i = n; i < MEMO_NAME; i++)
		if (in->name[i])
			return false;
	if (!is_variable(in))
		return !n;
	return n < MEMO_NAME && memo_variable_named(in->name) && !in->a;
}

bool memo_input_valid(const struct memo_input *in)
{
	if (!name_valid(in))
		return false;
	if (in->kind == MEMO_ARG_TEXT || in->kind == MEMO_ENV_TEXT)
		return in->function < MEMO_FUNCTIONS &&
		       in->width == functions[in->function].width && base_valid(in);
	if (in->function || in->base || in->kind >= MEMO_KINDS)
		return false;
	if (in->kind == MEMO_ARGC)
		return in->width == 32 && !in->a && !in->b;
	if (in->kind == MEMO_ENV_SET)
		return in->width == 1 && !in->b;
	return in->width == 8;
}

bool memo_input_equal(const struct memo_input *a, const struct memo_input *b)
{
	return a->kind == b->kind && a->function == b->function && a->base == b->base &&
	       a->width == b->width && a->a == b->a && a->b == b->b &&
	       !memcmp(a->name, b->name, MEMO_NAME);
}

static uint64_t of_text(const char *text, const struct memo_input *in)
{
	int before = errno, base = in->base, error;
	uint64_t value = 0;

	errno = 0;
	switch ((enum memo_function)in->function) {
	case MEMO_ATOI:
		value = (uint32_t)atoi(text);
		break;
	case MEMO_STRTOL:
	case MEMO_STRTOL_ERROR:
		value = (uint64_t)strtoll(text, NULL, base);
		break;
	case MEMO_STRTOUL:
	case MEMO_STRTOUL_ERROR:
		value = strtoull(text, NULL, base);
		break;
	case MEMO_STRLEN:
	default:
		value = strlen(text);
		break;
	}
	error = errno;
	errno = before;
	return in->function == MEMO_STRTOL_ERROR || in->function == MEMO_STRTOUL_ERROR
		       ? (uint64_t)error
		       : value;
}

const char *memo_given_variable(const struct memo_given *given, const char *name)
{
	size_t n = strlen(name);

	for (char *const *e = given->envp; e && *e; e++)
		if (!strncmp(*e, name, n) && (*e)[n] == '=')
			return *e + n + 1;
	return NULL;
}

static const char *text_of(const struct memo_given *given, const struct memo_input *in)
{
	if (is_variable(in))
		return memo_given_variable(given, in->name);
	return in->a < given->argc ? given->argv[in->a] : NULL;
}

static bool of_argument(const struct memo_given *given, const struct memo_input *in,
			uint64_t *value)
{
	const char *text = text_of(given, in);

	if (!text || in->b > strlen(text))
		return false;
	*value = in->width == 8 ? (uint8_t)text[in->b] : of_text(text + in->b, in);
	return true;
}

bool memo_input_value(const struct memo_given *given, const struct memo_input *in, uint64_t *value)
{
	switch ((enum memo_kind)in->kind) {
	case MEMO_ARGC:
		*value = (uint32_t)given->argc;
		return true;
	case MEMO_ARG_BYTE:
	case MEMO_ARG_TEXT:
	case MEMO_ENV_BYTE:
	case MEMO_ENV_TEXT:
		return of_argument(given, in, value);
	case MEMO_ENV_SET:
		*value = memo_given_variable(given, in->name) != NULL;
		return true;
	case MEMO_REGION:
		if (in->a >= given->region_count || in->b >= given->regions[in->a].count)
			return false;
		*value = given->regions[in->a].bytes[in->b];
		return true;
	default:
		return false;
	}
}

static void print_argument(const struct memo_input *in, struct strbuf *to)
{
	bool byte = in->kind == MEMO_ARG_BYTE || in->kind == MEMO_ENV_BYTE;

	if (!byte)
		strbuf_addf(to, "%s(", functions[in->function].name);
	if (is_variable(in))
		strbuf_addf(to, "$%s", in->name);
	else
		strbuf_addf(to, "argv[%u]", in->a);
	if (byte) {
		strbuf_addf(to, "[%u]", in->b);
		return;
	}
	if (in->b)
		strbuf_addf(to, "+%u", in->b);
	if (functions[in->function].based && in->base != 10)
		strbuf_addf(to, ", base %u", in->base);
	strbuf_add(to, ")");
}

void memo_input_print(const struct memo_input *in, struct strbuf *to)
{
	if (in->kind == MEMO_ARGC)
		strbuf_add(to, "argc");
	else if (in->kind == MEMO_REGION)
		strbuf_addf(to, "symbolic(%u)[%u]", in->a, in->b);
	else if (in->kind == MEMO_ENV_SET)
		strbuf_addf(to, "set($%s)", in->name);
	else
		print_argument(in, to);
}
