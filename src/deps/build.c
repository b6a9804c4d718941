#include "deps/build.h"

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
