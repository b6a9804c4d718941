#include "instr/calls.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct row {
	const char *name;
	enum calls_class class;
};

static struct row table[] = {
#define X(name, class) {#name, CALLS_##class},
#include "instr/calls.def"
#undef X
};

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct row *)a)->name, ((const struct row *)b)->name);
}

enum calls_class calls_find(const char *symbol)
{
	static bool sorted;
	struct row key = {symbol, CALLS_OPAQUE};
	const struct row *found;

	if (!sorted)
		qsort(table, sizeof(table) / sizeof(table[0]), sizeof(table[0]), by_name);
	sorted = true;
	found = bsearch(&key, table, sizeof(table) / sizeof(table[0]), sizeof(table[0]), by_name);
	return found ? found->class : CALLS_OPAQUE;
}
