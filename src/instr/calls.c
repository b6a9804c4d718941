#include "instr/calls.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct row {
	const char *name;
	enum calls_class class;
	enum calls_tells tells;
};

static struct row table[] = {
#define X(name, class, tells) {#name, CALLS_##class, CALLS_##tells},
#include "instr/calls.def"
#undef X
};

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct row *)a)->name, ((const struct row *)b)->name);
}

static const struct row *find(const char *symbol)
{
	static bool sorted;
	struct row key = {.name = symbol};

	if (!sorted)
		qsort(table, sizeof(table) / sizeof(table[0]), sizeof(table[0]), by_name);
	sorted = true;
	return bsearch(&key, table, sizeof(table) / sizeof(table[0]), sizeof(table[0]), by_name);
}

enum calls_class calls_find(const char *symbol)
{
	const struct row *found = find(symbol);

	return found ? found->class : CALLS_OPAQUE;
}

enum calls_tells calls_tells(const char *symbol)
{
	const struct row *found = find(symbol);

	return found ? found->tells : CALLS_WORLD;
}

/* ---- effects ---- */

struct effects_row {
	const char *name, *effects;
};

static struct effects_row effects_table[] = {
#define X(name, effects) {#name, effects},
#include "wire/outside.def"
#undef X
};

#define EFFECTS_ROWS (sizeof(effects_table) / sizeof(effects_table[0]))

static int by_effects_name(const void *a, const void *b)
{
	return strcmp(((const struct effects_row *)a)->name, ((const struct effects_row *)b)->name);
}

/*
 * Rows may be taken away, to see that answers become weaker and never wrong: HEDDLE_FORGET names
 * the functions, separated by commas.
 */
static bool is_forgotten(const char *symbol)
{
	const char *list = getenv("HEDDLE_FORGET");
	size_t n = strlen(symbol);

	while (list && *list) {
		size_t here = strcspn(list, ",");

		if (here == n && !memcmp(list, symbol, n))
			return true;
		list += here + (list[here] == ',');
	}
	return false;
}

const char *calls_effects(const char *symbol)
{
	static bool sorted;
	struct effects_row key = {symbol, NULL};
	const struct effects_row *found;

	if (!sorted)
		qsort(effects_table, EFFECTS_ROWS, sizeof(effects_table[0]), by_effects_name);
	sorted = true;
	found = bsearch(&key, effects_table, EFFECTS_ROWS, sizeof(effects_table[0]),
			by_effects_name);
	return found && !is_forgotten(symbol) ? found->effects : NULL;
}

bool calls_only_reads(const char *effects)
{
	while (*effects) {
		if (*effects != 'r')
			return false;
		effects += strcspn(effects, " ");
		effects += strspn(effects, " ");
	}
	return true;
}
