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
