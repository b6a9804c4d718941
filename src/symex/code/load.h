/* The parts of loading a program.  Private to symex/code, but for the first. */
#ifndef HEDDLE_SYMEX_CODE_LOAD_H
#define HEDDLE_SYMEX_CODE_LOAD_H

#include "symex/code/program.h"

/* symex_program_load() without the models of what is outside. */
int program_load(const char *path, struct symex_program **out, struct err *e);

/* Functions and variables of all units, and what every mention of them means. */
void link_names(struct symex_program *p);
/* Addresses: those of the binary where it has symbols. */
int image_place(struct symex_program *p, const char *path, struct err *e);
int image_write(struct symex_program *p, struct err *e);
void image_constructors(struct symex_program *p);

#endif
