/* One run: from an empty scheduler to the first event of main. */
#ifndef HEDDLE_RT_SCHED_RUN_H
#define HEDDLE_RT_SCHED_RUN_H

/* Takes the process under control; main_start is called in each run.  Never returns. */
_Noreturn void run_enter(void *(*main_start)(void *));

#endif
