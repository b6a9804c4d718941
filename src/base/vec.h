/*
 * Growable array of any element type, by macros:
 *
 *	struct { VEC_FIELDS(struct edge); } edges = VEC_INIT;
 *	vec_push(&edges, e);   edges.items[i]   edges.count   vec_free(&edges);
 *
 * VEC(type) declares an anonymous struct for use as a member or local.
 */
#ifndef HEDDLE_BASE_VEC_H
#define HEDDLE_BASE_VEC_H

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define VEC_FIELDS(type)                                                                           \
	type *items;                                                                               \
	size_t count, capacity
#define VEC(type)                                                                                  \
	struct {                                                                                   \
		VEC_FIELDS(type);                                                                  \
	}
#define VEC_INIT { NULL, 0, 0 }

#define vec_reserve(v, n)                                                                          \
	do {                                                                                       \
		size_t vec_need = (n);                                                             \
		if (vec_need > (v)->capacity) {                                                    \
			size_t vec_cap = (v)->capacity ? (v)->capacity * 2 : 8;                    \
			if (vec_cap < vec_need)                                                    \
				vec_cap = vec_need;                                                \
			(v)->items = xrealloc((v)->items, vec_cap, sizeof(*(v)->items));           \
			(v)->capacity = vec_cap;                                                   \
		}                                                                                  \
	} while (0)

#define vec_push(v, item)                                                                          \
	do {                                                                                       \
		vec_reserve((v), (v)->count + 1);                                                  \
		(v)->items[(v)->count++] = (item);                                                 \
	} while (0)

#define vec_pop(v) ((v)->items[--(v)->count])
#define vec_last(v) ((v)->items[(v)->count - 1])
#define vec_clear(v) ((void)((v)->count = 0))
#define vec_free(v)                                                                                \
	do {                                                                                       \
		free((v)->items);                                                                  \
		(v)->items = NULL;                                                                 \
		(v)->count = (v)->capacity = 0;                                                    \
	} while (0)

#endif
