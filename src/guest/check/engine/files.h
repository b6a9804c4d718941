/*
 * Files that a run on the reset engine opened for reading.
 *
 * A regular file that is opened, read and closed again leaves nothing behind that matters, so the
 * engine need not give up: the system calls are made here on behalf of the program (the filter traps
 * them), the descriptors are remembered, and what the run left open is closed after it.  The next
 * run gets the same numbers.  Standard input is read here as well, when it is a file: the run counts
 * as opaque then, so that offset and streams come back.
 */
#ifndef HEDDLE_RT_ENGINE_FILES_H
#define HEDDLE_RT_ENGINE_FILES_H

#include "guest/check/rt.h"

/*
 * Opening it so can be undone: nothing but a regular file read, or nothing there at all.  dir as for
 * openat.  Tolerates signal handlers.
 */
bool files_can_open(int dir, const char *path, int flags);
/* Opened in this run. */
bool files_opened(int fd);
/*
 * From the SIGSYS handler: makes the call and puts its result where the program looks for it.
 * False when it is none of those that can be undone.
 */
bool files_call(long number, long long *registers);
/* A descriptor that the runtime made in this run; and closes again. */
void files_adopt(int fd);
void files_drop(int fd);
/* After a run. */
void files_close_all(void);

#endif
