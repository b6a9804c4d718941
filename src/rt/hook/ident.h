/*
 * Numbers of processes and threads as the program sees them under control.  What the kernel gives
 * differs from run to run and from engine to engine; values that reach the program's memory must
 * not.
 */
#ifndef HEDDLE_RT_HOOK_IDENT_H
#define HEDDLE_RT_HOOK_IDENT_H

#include <sys/types.h>

/* The process, and the kernel thread of main. */
#define IDENT_PID 1000

/* What gettid() returns in the current thread. */
pid_t ident_tid(void);
/* The kernel's number for one that the program uses (0 and negative ones pass unchanged). */
pid_t ident_real(pid_t pid);

#endif
