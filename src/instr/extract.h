/* The bitcode a linked file carries, as one module. */
#ifndef HEDDLE_INSTR_EXTRACT_H
#define HEDDLE_INSTR_EXTRACT_H

#include "base/err.h"

/* Reads every frame of the file, links the modules and writes the result to out_path. */
int instr_extract(const char *path, const char *out_path, struct err *e);

#endif
