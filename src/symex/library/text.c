/* Formatted text into memory and to streams; streams themselves go nowhere. */
#include <stdlib.h>
#include <string.h>

#include "symex/library/format.h"
#include "symex/library/library.h"

/* Where in the arguments things stand: -1 when the function has no such argument. */
struct shape {
	const char *name;
	int to, limit, format;
	bool list;
};

static const struct shape shapes[] = {
	{"printf", -1, -1, 0, false},	     {"vprintf", -1, -1, 0, true},
	{"fprintf", -1, -1, 1, false},	     {"vfprintf", -1, -1, 1, true},
	{"dprintf", -1, -1, 1, false},	     {"sprintf", 0, -1, 1, false},
	{"vsprintf", 0, -1, 1, true},	     {"snprintf", 0, 1, 2, false},
	{"vsnprintf", 0, 1, 2, true},	     {"__printf_chk", -1, -1, 1, false},
	{"__fprintf_chk", -1, -1, 2, false}, {"__sprintf_chk", 0, -1, 3, false},
	{"__snprintf_chk", 0, 1, 4, false},  {"__vsnprintf_chk", 0, 1, 4, true},
	{"__vfprintf_chk", -1, -1, 2, true},
};

static const struct shape *shape_of(const char *name)
{
	for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++)
		if (!strcmp(shapes[i].name, name))
			return &shapes[i];
	return NULL;
}

/* Of a text that nobody reads only its length may matter; unknown when it is. */
static bool unknown_argument(const struct library_call *k, unsigned first)
{
	for (unsigned i = first; i < k->count; i++)
		if (k->expr[i])
			return true;
	return false;
}

static enum library_result print(struct machine *m, struct library_call *k)
{
	const struct shape *s = shape_of(k->f->name);
	struct strbuf text = STRBUF_INIT;
	struct format_source source;
	char *format;
	uint64_t n, limit;

	(void)library_take_site(k);
	if (s->to < 0 && (m->values || unknown_argument(k, (unsigned)s->format + 1))) {
		k->result_expr = machine_unknown(m, k->t, 32);
		return LIBRARY_DONE;
	}
	for (unsigned i = 0; i < k->count; i++)
		(void)library_arg(m, k, i);
	format = library_string(m, k, library_arg(m, k, (unsigned)s->format));
	if (s->list)
		format_open_list(&source, m, k, library_arg(m, k, (unsigned)s->format + 1));
	else
		format_open_words(&source, m, k, k->arg, (unsigned)s->format + 1, k->count);
	format_text(format, &source, &text);
	free(format);
	n = text.length;
	if (s->to >= 0) {
		limit = s->limit >= 0 ? library_arg(m, k, (unsigned)s->limit) : UINT64_MAX;
		if (limit) {
			uint64_t kept = n < limit - 1 ? n : limit - 1;

			library_put(m, k, library_arg(m, k, (unsigned)s->to),
				    text.text ? text.text : "", kept);
			library_put(m, k, library_arg(m, k, (unsigned)s->to) + kept, "", 1);
		}
	}
	strbuf_free(&text);
	return library_return(k, n);
}

static enum library_result put(struct machine *m, struct library_call *k)
{
	char *text;
	uint64_t n;

	(void)library_take_site(k);
	if (!strcmp(k->f->name, "fwrite") || !strcmp(k->f->name, "fwrite_unlocked"))
		return library_return(k, library_arg(m, k, 2));
	if (m->values) {
		k->result_expr = machine_unknown(m, k->t, 32);
		return LIBRARY_DONE;
	}
	text = library_string(m, k, library_arg(m, k, 0));
	n = strlen(text) + 1;
	free(text);
	return library_return(k, !strcmp(k->f->name, "puts") ? n : 1);
}

static enum library_result put_character(struct machine *m, struct library_call *k)
{
	(void)library_take_site(k);
	k->result = k->arg[0] & 0xff;
	k->result_expr = EXPR_NONE;
	return LIBRARY_DONE;
}

static enum library_result nothing(struct machine *m, struct library_call *k)
{
	(void)library_take_site(k);
	return library_return(k, 0);
}

const struct library_row library_text[] = {
	{"printf", print},
	{"vprintf", print},
	{"fprintf", print},
	{"vfprintf", print},
	{"dprintf", print},
	{"sprintf", print},
	{"vsprintf", print},
	{"snprintf", print},
	{"vsnprintf", print},
	{"__printf_chk", print},
	{"__fprintf_chk", print},
	{"__sprintf_chk", print},
	{"__snprintf_chk", print},
	{"__vsnprintf_chk", print},
	{"__vfprintf_chk", print},
	{"puts", put},
	{"fputs", put},
	{"fwrite", put},
	{"putchar", put_character},
	{"fputc", put_character},
	{"putc", put_character},
	{"fflush", nothing},
	{"perror", nothing},
	{"setvbuf", nothing},
	{"setbuf", nothing},
	{NULL, NULL},
};
