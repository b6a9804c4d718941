/* Exceptions: what the models of the C++ runtime need of them.  Private to symex. */
#ifndef HEDDLE_SYMEX_THROW_H
#define HEDDLE_SYMEX_THROW_H

#include "symex/machine/machine.h"

#define THROW_HEADER 32 /* bytes before the object: type, destructor, references */

/* Type information `type' is `base' or derived from it; *where gets the place of the base in
 * object. */
bool throw_is_a(struct machine *m, struct machine_thread *t, uint64_t type, uint64_t base,
		uint64_t object, uint64_t *where, unsigned depth);
bool throw_catches(struct machine *m, struct machine_thread *t, uint64_t wanted, uint64_t type);
/* What llvm.eh.typeid.for returns. */
uint32_t throw_selector(uint64_t type);

#endif
