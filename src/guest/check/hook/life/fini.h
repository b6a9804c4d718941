/* Functions with the destructor attribute: the last that a program does of its own. */
#ifndef HEDDLE_RT_HOOK_FINI_H
#define HEDDLE_RT_HOOK_FINI_H

/* Before the snapshot: finds them in everything that is loaded. */
void fini_begin(void);
/* Runs those that are instrumented code, under control, in the loader's order. */
void fini_run(void);

#endif
