/* heddle-analyze: a program looked at without running it.  For heddle analyze, not for people. */
#include <stdio.h>
#include <string.h>
#include "analyze/whole.h"
#include <llvm-c/Core.h>
int main(int argc, char **argv)
{
	struct whole w;
	struct err e = ERR_INIT;
	struct limit limit = LIMIT_INIT;

	if (whole_init(&w, argv[1], &limit, &e)) {
		fprintf(stderr, "heddle-analyze: %s\n", e.text);
		return 3;
	}
	whole_solve(&w);
	printf("codes %zu bodies %zu threads %zu nodes %zu objects %zu locs %zu merged %lu steps %lu\n", w.codes.count, w.bodies.count, w.threads.count, w.points.nodes.count, w.points.locs.objects.count, w.points.locs.all.count, w.points.merged, w.points.steps);
	for (size_t i = 0; i < w.notes.count; i++)
		printf("note %s %s\n", w.notes.items[i].kind, w.notes.items[i].what);
	for (size_t i = 0; i < w.threads.count; i++) {
		size_t n;
		printf("thread %zu %s parent %u many %d\n", i, LLVMGetValueName2(whole_function(&w, w.threads.items[i].root), &n), w.threads.items[i].parent, w.threads.items[i].many);
	}
	whole_fini(&w);
	return 0;
}
