/* Questions about a loaded program. */
#include "symex/code/program.h"

#include <string.h>

#include <llvm-c/Core.h>

uint32_t symex_program_units(const struct symex_program *p)
{
	return (uint32_t)p->units.count;
}

uint64_t symex_program_unit_hash(const struct symex_program *p, uint32_t unit)
{
	return p->units.items[unit].hash;
}

const char *symex_program_unit_name(const struct symex_program *p, uint32_t unit)
{
	return p->units.items[unit].name;
}

struct program_function *program_function_at(const struct symex_program *p, uint64_t address)
{
	size_t low = 0, high = p->by_address.count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		struct program_function *f = p->functions.items[p->by_address.items[middle]];

		if (f->address == address)
			return f;
		if (f->address < address)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

struct program_function *program_function_named(const struct symex_program *p, const char *name)
{
	for (size_t i = 0; i < p->functions.count; i++)
		if (!strcmp(p->functions.items[i]->name, name))
			return p->functions.items[i];
	return NULL;
}

const struct program_global *program_global_at(const struct symex_program *p, uint64_t address)
{
	size_t low = 0, high = p->globals.count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct program_global *g = &p->globals.items[middle];

		if (!g->tls && g->address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low)
		return NULL;
	/* A pointer right behind an object still belongs to it. */
	return address - p->globals.items[low - 1].address <= p->globals.items[low - 1].bytes
		       ? &p->globals.items[low - 1]
		       : NULL;
}

const char *symex_program_function(const struct symex_program *p, uint64_t address)
{
	const struct program_function *f = program_function_at(p, address);

	return f ? f->name : NULL;
}

uint64_t symex_program_address(const struct symex_program *p, const char *name)
{
	const struct program_function *f = program_function_named(p, name);

	if (f)
		return f->address;
	for (size_t i = 0; i < p->globals.count; i++)
		if (!strcmp(p->globals.items[i].name, name))
			return p->globals.items[i].address;
	return 0;
}

/* ---- what may fail ---- */

static bool fails_itself(const char *name)
{
	static const char *const names[] = {
		"__assert_fail", "__assert_perror_fail",	  "__assert",	    "abort",
		"llvm.trap",	 "heddle_property_assert_failed", "_ZSt9terminatev"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

struct called {
	VEC_FIELDS(struct program_function *);
};

static void add_called(struct called *to, struct program_function *f)
{
	for (size_t i = 0; i < to->count; i++)
		if (to->items[i] == f)
			return;
	vec_push(to, f);
}

bool symex_program_may_fail(struct symex_program *p, uint64_t address)
{
	struct program_function *first = program_function_at(p, address);
	struct called all = {NULL, 0, 0};
	bool may = !first;

	if (first)
		vec_push(&all, first);
	for (size_t i = 0; i < all.count && !may; i++) {
		struct program_function *f = all.items[i];
		struct code *code;

		may = fails_itself(f->name);
		if (may || !f->value)
			continue;
		code = f->code ? f->code : program_compile(p, f);
		/* Through a pointer it may come anywhere. */
		for (size_t k = 0; k < code->calls.count && !may; k++) {
			if (code->calls.items[k].target)
				add_called(&all, code->calls.items[k].target);
			else
				may = true;
		}
	}
	vec_free(&all);
	return may;
}
