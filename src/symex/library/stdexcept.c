/*
 * The exceptions of the C++ library: runtime_error, logic_error and what is derived from them.
 *
 * An object is a pointer to its table of virtual functions and a pointer to its text.  The tables
 * lie in the library; library_prepare() makes ones that lead to the models here.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symex/library/library.h"

#define TEXT 8	 /* offset of the pointer to the text */
#define TABLE 16 /* where a table of virtual functions begins behind its symbol */
#define WHAT 16	 /* offset of what() in it; the two destructors come first */

/* "_ZNSt13runtime_errorC2EPKc" -> "13runtime_error"; false when it is not like that. */
static bool class_of(const char *symbol, char *to, size_t n)
{
	const char *at = strstr(symbol, "St");
	size_t digits, length;

	if (!at)
		return false;
	at += 2;
	digits = strspn(at, "0123456789");
	length = digits + (size_t)atoi(at);
	if (!digits || length >= n || length > strlen(at))
		return false;
	memcpy(to, at, length);
	to[length] = 0;
	return true;
}

static uint64_t table_of(struct machine *m, const struct library_call *k)
{
	char class[64], symbol[80];
	uint64_t at;

	if (!class_of(k->f->name, class, sizeof(class)))
		return 0;
	snprintf(symbol, sizeof(symbol), "_ZTVSt%s", class);
	at = symex_program_address(m->p, symbol);
	return at ? at + TABLE : 0;
}

static void set_text(struct machine *m, struct library_call *k, uint64_t object, const char *text)
{
	size_t n = strlen(text) + 1;
	uint64_t at = machine_allocate(m, k->t, n, 16, SYMEX_NONE);

	library_put(m, k, at, text, n);
	library_put(m, k, object + TEXT, &at, 8);
}

static enum library_result construct(struct machine *m, struct library_call *k)
{
	uint64_t object = library_arg(m, k, 0), from = library_arg(m, k, 1);
	uint64_t table = table_of(m, k);
	size_t n = strlen(k->f->name);
	char *text;

	/* From a text, from a std::string, from another one. */
	if (!strcmp(k->f->name + n - 3, "RKS_") || !strcmp(k->f->name + n - 4, "RKS_")) {
		uint64_t same = library_word(m, k, from + TEXT, 8);

		library_put(m, k, object, &table, 8);
		library_put(m, k, object + TEXT, &same, 8);
		return LIBRARY_DONE;
	}
	if (strcmp(k->f->name + n - 3, "PKc"))
		from = library_word(m, k, from, 8);
	text = library_string(m, k, from);
	library_put(m, k, object, &table, 8);
	set_text(m, k, object, text);
	free(text);
	return LIBRARY_DONE;
}

static enum library_result what(struct machine *m, struct library_call *k)
{
	return library_return(k, library_word(m, k, library_arg(m, k, 0) + TEXT, 8));
}

static enum library_result destroy(struct machine *m, struct library_call *k)
{
	return LIBRARY_DONE;
}

/* std::exception and others have no text of their own. */
static enum library_result plain_what(struct machine *m, struct library_call *k)
{
	const char *text = strstr(k->f->name, "bad_alloc") ? "std::bad_alloc" : "std::exception";
	uint64_t at = machine_allocate(m, k->t, 32, 16, SYMEX_NONE);

	library_put(m, k, at, text, strlen(text) + 1);
	return library_return(k, at);
}

static const struct {
	const char *name, *type;
} throwers[] = {
	{"_ZSt17__throw_bad_allocv", "St9bad_alloc"},
	{"_ZSt20__throw_length_errorPKc", "St12length_error"},
	{"_ZSt19__throw_logic_errorPKc", "St11logic_error"},
	{"_ZSt20__throw_out_of_rangePKc", "St12out_of_range"},
	{"_ZSt24__throw_out_of_range_fmtPKcz", "St12out_of_range"},
	{"_ZSt24__throw_invalid_argumentPKc", "St16invalid_argument"},
	{"_ZSt21__throw_runtime_errorPKc", "St13runtime_error"},
	{"_ZSt25__throw_bad_function_callv", "St17bad_function_call"},
	{"_ZSt16__throw_bad_castv", "St8bad_cast"},
};

/* Thrown by code of the library: an object of the type, when the program knows it. */
static enum library_result throw_one(struct machine *m, struct library_call *k)
{
	char symbol[64];
	uint64_t object, type, table;

	for (size_t i = 0; i < sizeof(throwers) / sizeof(throwers[0]); i++) {
		if (strcmp(throwers[i].name, k->f->name))
			continue;
		snprintf(symbol, sizeof(symbol), "_ZTI%s", throwers[i].type);
		type = symex_program_address(m->p, symbol);
		snprintf(symbol, sizeof(symbol), "_ZTV%s", throwers[i].type);
		table = symex_program_address(m->p, symbol);
		if (!type)
			type = symex_program_address(m->p, "_ZTISt9exception");
		object = machine_allocate(m, k->t, 64, 16, SYMEX_NONE) + 32;
		table = table ? table + TABLE : 0;
		library_put(m, k, object, &table, 8);
		set_text(m, k, object, "exception of the library");
		machine_throw(m, k->t, object, type);
	}
	return LIBRARY_END;
}

const struct library_row library_stdexcept[] = {
	{"_ZNSt13runtime_errorC*", construct},
	{"_ZNSt11logic_errorC*", construct},
	{"_ZNSt12out_of_rangeC*", construct},
	{"_ZNSt16invalid_argumentC*", construct},
	{"_ZNSt12length_errorC*", construct},
	{"_ZNSt12domain_errorC*", construct},
	{"_ZNSt11range_errorC*", construct},
	{"_ZNSt14overflow_errorC*", construct},
	{"_ZNSt15underflow_errorC*", construct},
	{"_ZNKSt13runtime_error4whatEv", what},
	{"_ZNKSt11logic_error4whatEv", what},
	{"_ZNKSt9exception4whatEv", plain_what},
	{"_ZNKSt9bad_alloc4whatEv", plain_what},
	{"_ZNSt13runtime_errorD*", destroy},
	{"_ZNSt11logic_errorD*", destroy},
	{"_ZNSt12out_of_rangeD*", destroy},
	{"_ZNSt16invalid_argumentD*", destroy},
	{"_ZNSt12length_errorD*", destroy},
	{"_ZNSt12domain_errorD*", destroy},
	{"_ZNSt11range_errorD*", destroy},
	{"_ZNSt14overflow_errorD*", destroy},
	{"_ZNSt15underflow_errorD*", destroy},
	{"_ZNSt9exceptionD*", destroy},
	{"_ZNSt9bad_allocD*", destroy},
	{"_ZSt17__throw_bad_allocv", throw_one},
	{"_ZSt20__throw_length_errorPKc", throw_one},
	{"_ZSt19__throw_logic_errorPKc", throw_one},
	{"_ZSt20__throw_out_of_rangePKc", throw_one},
	{"_ZSt24__throw_out_of_range_fmtPKcz", throw_one},
	{"_ZSt24__throw_invalid_argumentPKc", throw_one},
	{"_ZSt21__throw_runtime_errorPKc", throw_one},
	{"_ZSt25__throw_bad_function_callv", throw_one},
	{"_ZSt16__throw_bad_castv", throw_one},
	{NULL, NULL},
};

/* ---- tables of virtual functions ---- */

static uint64_t add_function(struct symex_program *p, const char *name)
{
	struct program_function *f = program_function_named(p, name);

	if (f)
		return f->address;
	f = xcalloc(1, sizeof(*f));
	f->name = xstrdup(name);
	f->address = ADDR_OUTSIDE + (UINT64_C(1) << 35) + 16 * p->functions.count;
	/* Addresses grow: the table of functions by address stays sorted. */
	vec_push(&p->functions, f);
	vec_push(&p->by_address, (uint32_t)p->functions.count - 1);
	return f->address;
}

static bool derives_from_logic(const char *class)
{
	return strstr(class, "logic") || strstr(class, "out_of_range") ||
	       strstr(class, "argument") || strstr(class, "length") || strstr(class, "domain");
}

static void fill_table(struct symex_program *p, uint64_t at, const char *class)
{
	char symbol[100];
	uint64_t function;

	snprintf(symbol, sizeof(symbol), "_ZNSt%sD1Ev", class);
	function = add_function(p, symbol);
	(void)mem_store(&p->image, at, 8, function, EXPR_NONE);
	snprintf(symbol, sizeof(symbol), "_ZNSt%sD0Ev", class);
	function = add_function(p, symbol);
	(void)mem_store(&p->image, at + 8, 8, function, EXPR_NONE);
	function = add_function(p, derives_from_logic(class) ? "_ZNKSt11logic_error4whatEv"
							     : "_ZNKSt13runtime_error4whatEv");
	(void)mem_store(&p->image, at + WHAT, 8, function, EXPR_NONE);
}

/* A variable of a library that no unit mentions; they stay sorted, thread-local ones last. */
static void add_global(struct symex_program *p, const char *name, uint64_t address)
{
	struct program_global g = {.name = xstrdup(name), .address = address, .bytes = 64};
	size_t at = p->globals.count;

	vec_push(&p->globals, g);
	while (at && (p->globals.items[at - 1].tls || p->globals.items[at - 1].address > address)) {
		p->globals.items[at] = p->globals.items[at - 1];
		at--;
	}
	p->globals.items[at] = g;
	mem_map(&p->image, address, g.bytes);
}

void library_prepare(struct symex_program *p)
{
	static const char *const classes[] = {
		"13runtime_error",    "11logic_error",	  "12out_of_range",
		"16invalid_argument", "12length_error",	  "12domain_error",
		"11range_error",      "14overflow_error", "15underflow_error",
	};
	uint64_t room = ADDR_OUTSIDE + (UINT64_C(1) << 36) + (UINT64_C(1) << 35);

	for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++, room += 4096) {
		char symbol[80];
		uint64_t at;

		snprintf(symbol, sizeof(symbol), "_ZTVSt%s", classes[i]);
		at = symex_program_address(p, symbol);
		if (!at)
			add_global(p, symbol, at = room);
		fill_table(p, at + TABLE, classes[i]);
	}
}
