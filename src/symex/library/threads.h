/* What begins a thread, and cells that are no memory.  Private to symex. */
#ifndef HEDDLE_SYMEX_THREADS_H
#define HEDDLE_SYMEX_THREADS_H

#include "symex/library/library.h"

/* The model below all frames: begins, runs the routine, ends. */
void threads_begin(struct machine *m, struct machine_thread *t, uint32_t site);
void threads_begin_main(struct machine *m, struct machine_thread *t);
/* What pthread_create and pthread_join do, for those who call them. */
struct machine_thread *threads_create(struct machine *m, struct library_call *k, uint64_t routine,
				      uint64_t argument, uint64_t handle);
enum library_result threads_join(struct machine *m, struct library_call *k, uint64_t handle);
/* A destructor of the thread's own data that is still to be called, as callee of the model. */
bool threads_next_destructor(struct machine *m, struct library_call *k);
/* The thread is through; local[1] of the model is the place it was created at. */
enum library_result threads_end(struct machine *m, struct library_call *k);
/* Whether all but one were joined. */
bool threads_alone(const struct machine *m);
/* exit(argument 0), step by step. */
enum library_result process_exit(struct machine *m, struct library_call *k);
/* The address the guest gives a hidden cell. */
uint64_t threads_hidden_cell(unsigned kind, uint64_t key);

#endif
