/*
 * Which names of variables a program has in its data, or its libraries: a name that is nowhere in
 * them cannot be asked for.  Names that are put together at run time are found by their beginning
 * ("gtest_"); programs that hand the environment on as a whole have the names of the functions that
 * do (exec…, system, environ, dlopen) in their symbol tables, which are data as well.
 */
#ifndef HEDDLE_RUN_NEEDS_H
#define HEDDLE_RUN_NEEDS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/vec.h"

struct run_needs_name {
	const char *name; /* borrowed, not terminated */
	size_t bytes;
	bool *found;
};

struct run_needs {
	VEC(struct run_needs_name) names;
	bool all; /* the program hands on its environment, or cannot be read */
};

/* Both are borrowed until run_needs_fini(). */
void run_needs_add(struct run_needs *n, const char *name, size_t bytes, bool *found);

/* Reads the program at path and the libraries that are loaded with it. */
void run_needs_look(struct run_needs *n, const char *path);

/* The words in a piece of data; is_names: the names of what the program itself imports. */
void run_needs_scan(struct run_needs *n, const char *data, size_t bytes, bool is_names);

void run_needs_fini(struct run_needs *n);

#endif
