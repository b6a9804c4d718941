/* Running a routine once under control. */
#ifndef HEDDLE_RT_HOOK_ONCE_H
#define HEDDLE_RT_HOOK_ONCE_H

/*
 * As pthread_once, for a control word of the size of int.  When the routine is left by an exception
 * or a cancellation, the next caller runs it again.
 */
void once_run(void *control, void (*routine)(void));

#endif
