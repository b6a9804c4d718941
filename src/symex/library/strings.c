/* Strings, character classes, conversions of numbers. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "symex/library/library.h"

/* What a function makes of a text as one unknown, where somebody knows the values. */
static bool as_one(struct machine *m, struct library_call *k, const char *function, int base,
		   unsigned width)
{
	if (!m->values)
		return false;
	k->result_expr =
		m->values->text(m->values->arg, function, library_arg(m, k, 0), base, width);
	return k->result_expr != EXPR_NONE;
}

static enum library_result length(struct machine *m, struct library_call *k)
{
	uint64_t at = library_arg(m, k, 0), n = 0;
	uint64_t limit = k->count > 1 ? library_arg(m, k, 1) : UINT64_MAX;

	if (k->count == 1 && as_one(m, k, "strlen", 0, 64))
		return LIBRARY_DONE;

	while (n < limit && library_word(m, k, at + n, 1))
		n++;
	return library_return(k, n);
}

/* Both strings as the host has them, for functions of the host. */
struct two {
	char *a, *b;
};

static struct two both(struct machine *m, struct library_call *k)
{
	struct two t = {library_string(m, k, library_arg(m, k, 0)), NULL};

	t.b = library_string(m, k, library_arg(m, k, 1));
	return t;
}

static enum library_result finish(struct library_call *k, struct two t, uint64_t value)
{
	free(t.a);
	free(t.b);
	return library_return(k, value);
}

/* Up to n bytes; not every string has an end before them. */
static enum library_result compare(struct machine *m, struct library_call *k)
{
	uint64_t a = library_arg(m, k, 0), b = library_arg(m, k, 1);
	uint64_t n = strchr(k->f->name, 'n') && k->count > 2 ? library_arg(m, k, 2) : UINT64_MAX;
	bool fold = strstr(k->f->name, "case") != NULL;

	for (uint64_t i = 0; i < n; i++) {
		int x = (int)library_word(m, k, a + i, 1), y = (int)library_word(m, k, b + i, 1);

		if (fold) {
			x = tolower(x);
			y = tolower(y);
		}
		if (x != y)
			return library_return(k, (uint64_t)(int64_t)(x - y));
		if (!x)
			break;
	}
	return library_return(k, 0);
}

static enum library_result copy(struct machine *m, struct library_call *k)
{
	uint64_t to = library_arg(m, k, 0), from = library_arg(m, k, 1);
	bool append = strstr(k->f->name, "cat") != NULL, limited = k->count > 2;
	uint64_t n = limited ? library_arg(m, k, 2) : UINT64_MAX, at = to, i;
	uint8_t c = 1, none = 0;

	while (append && library_word(m, k, at, 1))
		at++;
	for (i = 0; i < n && c; i++) {
		c = (uint8_t)library_word(m, k, from + i, 1);
		library_put(m, k, at + i, &c, 1);
	}
	if (append && c)
		library_put(m, k, at + i, &none, 1);
	for (; !append && limited && i < n; i++)
		library_put(m, k, at + i, &none, 1);
	return library_return(k, !strcmp(k->f->name, "stpcpy") ? at + i - 1 : to);
}

static enum library_result find(struct machine *m, struct library_call *k)
{
	uint64_t at = library_arg(m, k, 0), found = 0;
	uint8_t wanted = (uint8_t)library_arg(m, k, 1), c;
	bool last = !strcmp(k->f->name, "strrchr") || !strcmp(k->f->name, "rindex");

	do {
		c = (uint8_t)library_word(m, k, at, 1);
		if (c == wanted && (last || !found))
			found = at;
		at++;
	} while (c && (last || !found));
	if (!found && !strcmp(k->f->name, "strchrnul"))
		found = at - 1;
	return library_return(k, found);
}

static enum library_result search(struct machine *m, struct library_call *k)
{
	struct two t = both(m, k);
	const char *name = k->f->name, *found = NULL;
	uint64_t value;

	if (!strcmp(name, "strspn") || !strcmp(name, "strcspn")) {
		value = name[3] == 's' ? strspn(t.a, t.b) : strcspn(t.a, t.b);
		return finish(k, t, value);
	}
	if (!strcmp(name, "strstr"))
		found = strstr(t.a, t.b);
	else if (!strcmp(name, "strcasestr"))
		found = strcasestr(t.a, t.b);
	else
		found = strpbrk(t.a, t.b);
	value = found ? library_arg(m, k, 0) + (uint64_t)(found - t.a) : 0;
	return finish(k, t, value);
}

static enum library_result duplicate(struct machine *m, struct library_call *k)
{
	char *text = library_string(m, k, library_arg(m, k, 0));
	uint64_t n = strlen(text), at;
	uint32_t site = library_take_site(k);

	if (k->count > 1 && library_arg(m, k, 1) < n)
		text[n = library_arg(m, k, 1)] = 0;
	at = machine_allocate(m, k->t, n + 1, 16, site);
	if (k->t->controlled && site != SYMEX_NONE)
		machine_event(m, k->t, EVENT_ALLOC, site, at, n + 1, 0);
	library_put(m, k, at, text, n + 1);
	free(text);
	return library_return(k, at);
}

/* ---- numbers ---- */

static void put_end(struct machine *m, struct library_call *k, const char *text, const char *end)
{
	uint64_t to = k->count > 1 ? library_arg(m, k, 1) : 0;
	uint64_t at = library_arg(m, k, 0) + (uint64_t)(end - text);

	if (to)
		library_put(m, k, to, &at, 8);
}

static enum library_result to_integer(struct machine *m, struct library_call *k)
{
	int base = k->count > 2 ? (int)library_arg(m, k, 2) : 10;
	bool sign = !strstr(k->f->name, "tou");
	uint64_t value;
	char *text, *end;

	/* Who asks for the end of the number looks at the bytes. */
	if ((k->count < 2 || !library_arg(m, k, 1)) &&
	    as_one(m, k,
		   k->count < 2 ? k->f->name
		   : sign	? "strtol"
				: "strtoul",
		   base, k->count < 2 && !strcmp(k->f->name, "atoi") ? 32 : 64))
		return LIBRARY_DONE;
	text = library_string(m, k, library_arg(m, k, 0));

	errno = 0;
	value = sign ? (uint64_t)strtoll(text, &end, base) : strtoull(text, &end, base);
	if (errno)
		library_set_errno(m, k, errno);
	if (k->count > 1)
		put_end(m, k, text, end);
	free(text);
	return library_return(k, value);
}

static enum library_result to_real(struct machine *m, struct library_call *k)
{
	char *text = library_string(m, k, library_arg(m, k, 0)), *end;
	double value = strtod(text, &end);
	float narrow = strtof(text, NULL);
	uint64_t bits = 0;

	if (!strcmp(k->f->name, "strtof"))
		memcpy(&bits, &narrow, 4);
	else
		memcpy(&bits, &value, 8);
	if (k->count > 1)
		put_end(m, k, text, end);
	free(text);
	return library_return(k, bits);
}

static enum library_result absolute(struct machine *m, struct library_call *k)
{
	bool wide = k->f->name[0] == 'l';
	int64_t value = (int64_t)library_arg(m, k, 0);

	if (!wide)
		value = (int32_t)value;
	return library_return(k, (uint64_t)(value < 0 ? -value : value));
}

/* ---- characters ---- */

static const struct {
	const char *name;
	int (*is)(int);
} classes[] = {
	{"isalpha", isalpha}, {"isdigit", isdigit},   {"isalnum", isalnum}, {"isspace", isspace},
	{"isupper", isupper}, {"islower", islower},   {"isprint", isprint}, {"ispunct", ispunct},
	{"iscntrl", iscntrl}, {"isxdigit", isxdigit}, {"isgraph", isgraph}, {"isblank", isblank},
	{"toupper", toupper}, {"tolower", tolower},
};

static enum library_result character(struct machine *m, struct library_call *k)
{
	int c = (int)library_arg(m, k, 0);

	for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++)
		if (!strcmp(classes[i].name, k->f->name))
			return library_return(k, (uint64_t)(int64_t)classes[i].is(c));
	return LIBRARY_DONE;
}

/* The tables behind the macros of ctype.h, laid out once in memory of the library. */
static enum library_result class_table(struct machine *m, struct library_call *k)
{
	uint64_t base = ADDR_OUTSIDE + (UINT64_C(2) << 36);
	uint64_t kind = k->f->name[8] == 'b' ? 0 : k->f->name[10] == 'l' ? 1 : 2;
	uint64_t table = base + 8192 * kind, pointer = base + 8192 * 4 + 8 * kind;

	mem_map(k->t->space, base, 8192 * 5);
	for (int c = -128; c < 256; c++) {
		if (kind == 0) {
			uint16_t bits = (*__ctype_b_loc())[c];

			library_put(m, k, table + (uint64_t)(c + 128) * 2, &bits, 2);
		} else {
			int32_t to = kind == 1 ? (*__ctype_tolower_loc())[c]
					       : (*__ctype_toupper_loc())[c];

			library_put(m, k, table + (uint64_t)(c + 128) * 4, &to, 4);
		}
	}
	table += 128 * (kind == 0 ? 2 : 4);
	library_put(m, k, pointer, &table, 8);
	return library_return(k, pointer);
}

const struct library_row library_strings[] = {
	{"strlen", length},
	{"strnlen", length},
	{"strcmp", compare},
	{"strncmp", compare},
	{"strcasecmp", compare},
	{"strncasecmp", compare},
	{"strcoll", compare},
	{"strcpy", copy},
	{"strncpy", copy},
	{"stpcpy", copy},
	{"strcat", copy},
	{"strncat", copy},
	{"strchr", find},
	{"strrchr", find},
	{"index", find},
	{"rindex", find},
	{"strchrnul", find},
	{"strstr", search},
	{"strcasestr", search},
	{"strspn", search},
	{"strcspn", search},
	{"strpbrk", search},
	{"strdup", duplicate},
	{"strndup", duplicate},
	{"atoi", to_integer},
	{"atol", to_integer},
	{"atoll", to_integer},
	{"strtol", to_integer},
	{"strtoll", to_integer},
	{"strtoul", to_integer},
	{"strtoull", to_integer},
	{"__isoc23_strtol", to_integer},
	{"__isoc23_strtoul", to_integer},
	{"atof", to_real},
	{"strtod", to_real},
	{"strtof", to_real},
	{"abs", absolute},
	{"labs", absolute},
	{"llabs", absolute},
	{"isalpha", character},
	{"isdigit", character},
	{"isalnum", character},
	{"isspace", character},
	{"isupper", character},
	{"islower", character},
	{"isprint", character},
	{"ispunct", character},
	{"iscntrl", character},
	{"isxdigit", character},
	{"isgraph", character},
	{"isblank", character},
	{"toupper", character},
	{"tolower", character},
	{"__ctype_b_loc", class_table},
	{"__ctype_tolower_loc", class_table},
	{"__ctype_toupper_loc", class_table},
	{NULL, NULL},
};
