/* Checks of the programs in this directory: a failed one ends the process with status 1. */
#ifndef CHECK_H
#define CHECK_H

#include <stdio.h>
#include <stdlib.h>

#define CHECK(condition)                                                                           \
	do {                                                                                       \
		if (!(condition)) {                                                                \
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);            \
			exit(1);                                                                   \
		}                                                                                  \
	} while (0)

/* The last line of a program that found everything as it should be. */
#define SUCCESS()                                                                                  \
	do {                                                                                       \
		printf("EXIT-SUCCESS\n");                                                          \
		fflush(stdout);                                                                    \
	} while (0)

#endif
