/* Models of heddle_hook_outside and heddle_hook_outside_done.  Private to symex. */
#ifndef HEDDLE_SYMEX_OUTSIDE_H
#define HEDDLE_SYMEX_OUTSIDE_H

#include "symex/library/library.h"

enum library_result outside_begin(struct machine *m, struct library_call *k);
enum library_result outside_end(struct machine *m, struct library_call *k);
/* A step that uses state of the library by its name; how: a letter h, H or g of outside.def. */
void outside_use(struct machine *m, struct library_call *k, char how, const char *name,
		 uint32_t site);

#endif
