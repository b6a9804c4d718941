#include "instr/flavor.h"

#include <stddef.h>
#include <string.h>

static const struct instr_flavor flavors[] = {
	{
		.name = "check",
		.summary = "every shared access, branch and call is under control of the guest",
		.accesses = true,
		.atomics = true,
		.branches = true,
		.spins = true,
		.entries = true,
		.calls = true,
		.library = "heddle",
	},
	{
		.name = "record",
		.summary = "runs by itself; ways taken at marked points are recorded",
		.record = true,
		.library = "heddle-record",
	},
	{
		.name = "paths",
		.summary = "the same, with numbers of paths instead of bits (for comparison)",
		.record = true,
		.paths = true,
		.library = "heddle-record",
	},
	{
		.name = "coop",
		.summary = "runs by itself; orders of accesses to some shared elements are recorded",
		.accesses = true,
		.atomics = true,
		.calls = true,
		.record = true,
		.elements = true,
		.library = "heddle-record",
	},
	{
		.name = "stable",
		.summary = "runs by itself; atomic operations are operations of heddle stable",
		.ordered = true,
		.library = "heddle-stable-stub",
	},
};

const struct instr_flavor *instr_flavor_at(unsigned i)
{
	return i < sizeof(flavors) / sizeof(flavors[0]) ? &flavors[i] : NULL;
}

const struct instr_flavor *instr_flavor_find(const char *name)
{
	const struct instr_flavor *f;

	for (unsigned i = 0; (f = instr_flavor_at(i)); i++)
		if (!strcmp(f->name, name))
			return f;
	return NULL;
}
