/* Names of a program: which definition is meant where. */
#include <stdlib.h>
#include <string.h>

#include <llvm-c/Core.h>

#include "base/fs.h"
#include "symex/code/load.h"

#define OUTSIDE_BYTES 4096 /* at least, of a variable of a library */

/* ---- names ---- */

struct names {
	struct entry {
		const char *name;
		uint32_t index; /* + 1; of functions, or of globals with the top bit */
		bool strong;
		bool alias; /* the name is its own */
	} * slots;
	size_t count, capacity;
};

#define IS_GLOBAL 0x80000000u

static struct entry *name_slot(struct names *n, const char *name)
{
	size_t at = fs_hash(FS_HASH_START, name, strlen(name)) & (n->capacity - 1);

	while (n->slots[at].name && strcmp(n->slots[at].name, name))
		at = (at + 1) & (n->capacity - 1);
	return &n->slots[at];
}

static void names_grow(struct names *n)
{
	struct names old = *n;

	n->capacity = old.capacity ? old.capacity * 2 : 1024;
	n->slots = xcalloc(n->capacity, sizeof(*n->slots));
	for (size_t i = 0; i < old.capacity; i++)
		if (old.slots[i].name)
			*name_slot(n, old.slots[i].name) = old.slots[i];
	free(old.slots);
}

static struct entry *names_add(struct names *n, const char *name)
{
	struct entry *s;

	if (n->count * 2 >= n->capacity)
		names_grow(n);
	s = name_slot(n, name);
	if (!s->name)
		n->count++;
	return s;
}

/* ---- definitions ---- */

static bool is_local(LLVMValueRef v)
{
	LLVMLinkage l = LLVMGetLinkage(v);

	return l == LLVMInternalLinkage || l == LLVMPrivateLinkage;
}

static bool is_strong(LLVMValueRef v)
{
	LLVMLinkage l = LLVMGetLinkage(v);

	return l == LLVMExternalLinkage || l == LLVMDLLExportLinkage || l == LLVMAppendingLinkage;
}

static char *name_of(LLVMValueRef v)
{
	size_t bytes;
	const char *name = LLVMGetValueName2(v, &bytes);

	return xstrndup(name, bytes);
}

static uint32_t new_function(struct symex_program *p, LLVMValueRef value, uint32_t unit)
{
	struct program_function *f = xcalloc(1, sizeof(*f));

	f->name = name_of(value);
	f->value = LLVMIsDeclaration(value) ? NULL : value;
	f->unit = unit;
	vec_push(&p->functions, f);
	return (uint32_t)p->functions.count - 1;
}

static uint32_t new_global(struct symex_program *p, LLVMValueRef value, uint32_t unit)
{
	struct program_global g = {.unit = unit};

	g.name = name_of(value);
	g.value = LLVMGetInitializer(value) ? value : NULL;
	g.bytes = LLVMABISizeOfType(p->layout, LLVMGlobalGetValueType(value));
	g.constant = LLVMIsGlobalConstant(value);
	g.tls = LLVMIsThreadLocal(value);
	if (!g.value && g.bytes < OUTSIDE_BYTES)
		g.bytes = OUTSIDE_BYTES;
	vec_push(&p->globals, g);
	return (uint32_t)p->globals.count - 1;
}

/* A definition that others may mean: the first strong one wins, else the first. */
static void define(struct symex_program *p, struct names *names, LLVMValueRef v, uint32_t unit)
{
	bool global = LLVMIsAGlobalVariable(v) != NULL;
	uint32_t index;
	struct entry *s;
	char *name;

	if (is_local(v)) {
		index = global ? new_global(p, v, unit) : new_function(p, v, unit);
		return;
	}
	name = name_of(v);
	s = names_add(names, name);
	if (s->name && (s->strong || !is_strong(v))) {
		free(name);
		return;
	}
	if (s->name && ((s->index & IS_GLOBAL) != 0) == global) {
		/* Strong after weak. */
		index = (s->index & ~IS_GLOBAL) - 1;
		if (global)
			p->globals.items[index].value = v, p->globals.items[index].unit = unit;
		else
			p->functions.items[index]->value = v,
			p->functions.items[index]->unit = unit;
		s->strong = true;
		free(name);
		return;
	}
	index = global ? new_global(p, v, unit) : new_function(p, v, unit);
	free(name);
	s->name = global ? p->globals.items[index].name : p->functions.items[index]->name;
	s->index = (index + 1) | (global ? IS_GLOBAL : 0);
	s->strong = is_strong(v);
}

static bool is_defined(LLVMValueRef v)
{
	return !LLVMIsDeclaration(v) && LLVMGetLinkage(v) != LLVMAvailableExternallyLinkage;
}

static void define_unit(struct symex_program *p, struct names *names, uint32_t unit)
{
	LLVMModuleRef mod = p->units.items[unit].mod;

	for (LLVMValueRef f = LLVMGetFirstFunction(mod); f; f = LLVMGetNextFunction(f))
		if (is_defined(f))
			define(p, names, f, unit);
	for (LLVMValueRef g = LLVMGetFirstGlobal(mod); g; g = LLVMGetNextGlobal(g))
		if (is_defined(g))
			define(p, names, g, unit);
}

/* ---- references ---- */

static void refer(struct symex_program *p, struct names *names, LLVMValueRef v, uint32_t unit)
{
	bool global = LLVMIsAGlobalVariable(v) != NULL;
	struct entry *s;
	char *name = name_of(v);
	uint32_t index;

	s = names_add(names, name);
	free(name);
	if (!s->name) {
		index = global ? new_global(p, v, unit) : new_function(p, v, unit);
		if (global)
			p->globals.items[index].value = NULL;
		else
			p->functions.items[index]->value = NULL;
		s->name = global ? p->globals.items[index].name : p->functions.items[index]->name;
		s->index = (index + 1) | (global ? IS_GLOBAL : 0);
		s->strong = true;
	}
	index = (s->index & ~IS_GLOBAL) - 1;
	/* Globals get their addresses later; the index stands in until then. */
	if (s->index & IS_GLOBAL)
		ptrmap_set(&p->global_of, v, index);
	else
		ptrmap_set(&p->function_of, v, (uintptr_t)p->functions.items[index]);
}

static void refer_unit(struct symex_program *p, struct names *names, uint32_t unit)
{
	LLVMModuleRef mod = p->units.items[unit].mod;
	uintptr_t found;

	for (LLVMValueRef f = LLVMGetFirstFunction(mod); f; f = LLVMGetNextFunction(f))
		if (!ptrmap_get(&p->function_of, f, &found))
			refer(p, names, f, unit);
	for (LLVMValueRef g = LLVMGetFirstGlobal(mod); g; g = LLVMGetNextGlobal(g))
		if (!ptrmap_get(&p->global_of, g, &found))
			refer(p, names, g, unit);
}

/* Aliases define names: other units may mean them. */
static void define_aliases(struct symex_program *p, struct names *names, uint32_t unit)
{
	LLVMModuleRef mod = p->units.items[unit].mod;

	for (LLVMValueRef a = LLVMGetFirstGlobalAlias(mod); a; a = LLVMGetNextGlobalAlias(a)) {
		LLVMValueRef to = LLVMAliasGetAliasee(a);
		struct entry *s, *target;
		char *name;

		while (to && LLVMIsAGlobalAlias(to))
			to = LLVMAliasGetAliasee(to);
		if (!to || is_local(a) || (!LLVMIsAFunction(to) && !LLVMIsAGlobalVariable(to)))
			continue;
		name = name_of(to);
		target = names_add(names, name);
		free(name);
		if (!target->name)
			continue;
		{
			struct entry copy = *target;

			name = name_of(a);
			s = names_add(names, name);
			if (!s->name) {
				s->name = name;
				s->index = copy.index;
				s->strong = false;
				s->alias = true;
			} else {
				free(name);
			}
		}
	}
}

static void map_locals(struct symex_program *p)
{
	for (size_t i = 0; i < p->functions.count; i++)
		if (p->functions.items[i]->value)
			ptrmap_set(&p->function_of, p->functions.items[i]->value,
				   (uintptr_t)p->functions.items[i]);
	for (size_t i = 0; i < p->globals.count; i++)
		if (p->globals.items[i].value)
			ptrmap_set(&p->global_of, p->globals.items[i].value, i);
}

void link_names(struct symex_program *p)
{
	struct names names = {NULL, 0, 0};

	names_grow(&names);
	for (uint32_t u = 0; u < p->units.count; u++)
		define_unit(p, &names, u);
	for (uint32_t u = 0; u < p->units.count; u++)
		define_aliases(p, &names, u);
	map_locals(p);
	for (uint32_t u = 0; u < p->units.count; u++)
		refer_unit(p, &names, u);
	for (size_t i = 0; i < names.capacity; i++)
		if (names.slots[i].alias)
			free((char *)names.slots[i].name);
	free(names.slots);
}
