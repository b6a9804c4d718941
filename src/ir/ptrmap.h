/*
 * Map from an address to a number or pointer: what analyses of a module hang on its values.
 * Iteration order is never offered, so nothing can depend on where LLVM put its objects.
 */
#ifndef HEDDLE_IR_PTRMAP_H
#define HEDDLE_IR_PTRMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ptrmap_entry {
	const void *key;
	uintptr_t value;
	bool gone; /* removed: only keeps the way to others free */
};

struct ptrmap {
	struct ptrmap_entry *slots;
	size_t count, capacity;
};

#define PTRMAP_INIT                                                                                \
	{                                                                                          \
		NULL, 0, 0                                                                         \
	}

/* Adds or replaces; key is not NULL. */
void ptrmap_set(struct ptrmap *m, const void *key, uintptr_t value);
/* False and *value untouched when absent; value may be NULL. */
bool ptrmap_get(const struct ptrmap *m, const void *key, uintptr_t *value);
bool ptrmap_has(const struct ptrmap *m, const void *key);
/* Adds key with value 1; false when it was there already. */
bool ptrmap_add(struct ptrmap *m, const void *key);
/*
 * For a key that is about to be deleted: LLVM soon has another object at its address.  Nothing when it
 * is absent.
 */
void ptrmap_remove(struct ptrmap *m, const void *key);
void ptrmap_free(struct ptrmap *m);

#endif
