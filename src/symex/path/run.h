/* Begins a machine: for symex_run(), and for tests that drive the threads themselves. */
#ifndef HEDDLE_SYMEX_RUN_H
#define HEDDLE_SYMEX_RUN_H

struct machine;

/* Constructors and the arguments of main; thread 0 stands before them. */
void machine_begin(struct machine *m);

#endif
