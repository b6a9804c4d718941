/* Programs with known numbers of states and executions. */
#ifndef MINI_VECTORS_H
#define MINI_VECTORS_H

/* Executions and states; 0: not given. */
struct mini_count {
	unsigned runs, states;
};

struct mini_vector {
	const char *name;
	const char *text;
	unsigned states[3]; /* SC, TSO, PSO; 0: not given */
	int violating[3];   /* of them with an error mark, -1: not given */
	struct mini_count classic[3];
	struct mini_count se[3];
};

extern const struct mini_vector mini_vectors[];
extern const unsigned mini_vector_count;

#endif
