/*
 * The bitcode kept in an instrumented binary (wire/site.h): section ".heddle.bc" of an ELF file,
 * one frame per translation unit.  The file is input: every length is checked against what is
 * there.
 */
#ifndef HEDDLE_IR_BITCODE_H
#define HEDDLE_IR_BITCODE_H

#include <stddef.h>
#include <stdint.h>

#include <llvm-c/Types.h>

#include "base/err.h"

struct ir_bitcode_unit {
	const char *name; /* of the source, NUL-terminated */
	const char *args; /* code generation options, NUL-separated */
	size_t args_bytes;
	const void *bytes; /* bitcode */
	size_t count;
};

struct ir_bitcode_file {
	char *bytes; /* the whole file */
	size_t count;
	struct ir_bitcode_unit *units;
	size_t unit_count;
};

/* ERR_NOT_FOUND when the file carries none, ERR_FORMAT or ERR_CHECKSUM when it is damaged. */
int ir_bitcode_read(struct ir_bitcode_file *f, const char *path, struct err *e);
void ir_bitcode_fini(struct ir_bitcode_file *f);

/* All units of the file linked into one module. */
int ir_bitcode_link(LLVMContextRef ctx, const char *path, LLVMModuleRef *out, struct err *e);

#endif
