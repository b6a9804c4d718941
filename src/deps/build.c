#include "deps/build.h"

#include <stdlib.h>
#include <string.h>

#include <llvm-c/Core.h>

uint32_t deps_build_node(const struct deps_build *b, LLVMValueRef v)
{
	uintptr_t n;

	return v && ptrmap_get(&b->nodes, v, &n) ? (uint32_t)n - 1 : DEPS_NO_NODE;
}

uint32_t deps_build_return(struct deps_build *b, LLVMValueRef call)
{
	uintptr_t n;
	uint32_t fresh;

	if (ptrmap_get(&b->returns, call, &n))
		return (uint32_t)n - 1;
	fresh = deps_graph_node(&b->g);
	ptrmap_set(&b->returns, call, fresh + 1);
	return fresh;
}

uint32_t deps_build_place(struct deps_build *b, uint32_t class)
{
	class = deps_points_find(&b->points, class);
	while (b->places.count <= class)
		vec_push(&b->places, DEPS_NO_NODE);
	if (b->places.items[class] == DEPS_NO_NODE)
		b->places.items[class] = deps_graph_node(&b->g);
	return b->places.items[class];
}

static int by_name(const void *a, const void *b, void *arg)
{
	const struct deps_build *x = arg;
	size_t n;
	LLVMValueRef f = x->functions.items[*(const uint32_t *)a].value;
	LLVMValueRef g = x->functions.items[*(const uint32_t *)b].value;

	return strcmp(LLVMGetValueName2(f, &n), LLVMGetValueName2(g, &n));
}

static void add_function(struct deps_build *b, uint32_t unit, LLVMValueRef value)
{
	struct deps_function f = {.value = value, .unit = unit};
	uint32_t number = (uint32_t)b->functions.count;

	f.runs = deps_graph_node(&b->g);
	f.result = deps_graph_node(&b->g);
	f.back = deps_graph_node(&b->g);
	for (unsigned i = 0; i < LLVMCountParams(value); i++)
		ptrmap_set(&b->nodes, LLVMGetParam(value, i), deps_graph_node(&b->g) + 1);
	for (LLVMBasicBlockRef k = LLVMGetFirstBasicBlock(value); k; k = LLVMGetNextBasicBlock(k))
		for (LLVMValueRef i = LLVMGetFirstInstruction(k); i; i = LLVMGetNextInstruction(i))
			ptrmap_set(&b->nodes, i, deps_graph_node(&b->g) + 1);
	vec_push(&b->functions, f);
	ptrmap_set(&b->function_of, value, number + 1);
	if (LLVMGetLinkage(value) != LLVMInternalLinkage &&
	    LLVMGetLinkage(value) != LLVMPrivateLinkage)
		vec_push(&b->by_name, number);
}

void deps_build_functions(struct deps_build *b)
{
	for (uint32_t u = 0; u < b->units.count; u++) {
		LLVMModuleRef mod = b->units.items[u].mod;

		for (LLVMValueRef f = LLVMGetFirstFunction(mod); f; f = LLVMGetNextFunction(f))
			if (!LLVMIsDeclaration(f))
				add_function(b, u, f);
	}
	if (b->by_name.count)
		qsort_r(b->by_name.items, b->by_name.count, sizeof(uint32_t), by_name, b);
}

void deps_build_fini(struct deps_build *b)
{
	for (size_t i = 0; i < b->units.count; i++)
		LLVMDisposeModule(b->units.items[i].mod);
	vec_free(&b->units);
	vec_free(&b->functions);
	vec_free(&b->by_name);
	vec_free(&b->places);
	ptrmap_free(&b->function_of);
	ptrmap_free(&b->nodes);
	ptrmap_free(&b->stretches);
	ptrmap_free(&b->returns);
	deps_points_fini(&b->points);
	deps_graph_fini(&b->g);
	free(b->sites);
}
