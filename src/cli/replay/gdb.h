/* A gdb session in a program that is about to follow a recorded schedule. */
#ifndef HEDDLE_CLI_GDB_H
#define HEDDLE_CLI_GDB_H

#include <sys/types.h>

#include "base/err.h"

/* ERR_TOOL when there is no gdb. */
int cli_gdb_find(char **path, struct err *e);

/*
 * Replaces this process by gdb attached to pid, a child of ours that is stopped before its first
 * instruction, and brings it to main.  words are further arguments for gdb, NULL-terminated.
 * Returns only when that fails.
 */
int cli_gdb_exec(const char *gdb, pid_t pid, char *const *words, struct err *e);

#endif
