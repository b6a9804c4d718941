/* Names for addresses: function, file and line by addr2line, else the module and the offset. */
#ifndef HEDDLE_STABLE_SYMBOLS_H
#define HEDDLE_STABLE_SYMBOLS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "wire/stable.h"

/* offset is a return address within module (a path, NULL when unknown). */
void stable_symbols_code(const char *module, uint64_t offset, struct strbuf *to);

/* The same for an address of the process described by a control block. */
void stable_symbols_pc(const struct stable_ctl *ctl, uint64_t pc, struct strbuf *to);

/* "module+0x…" as the hints file wants it; false when the address is in no module. */
bool stable_symbols_site(const struct stable_ctl *ctl, uint64_t pc, struct strbuf *to);

/* Copies text, with each "@<hex address>" replaced by its name. */
void stable_symbols_expand(const struct stable_ctl *ctl, const char *text, size_t bytes,
			   struct strbuf *to);

#endif
