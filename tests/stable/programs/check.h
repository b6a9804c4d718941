/* Shared by the test programs: an expectation that ends the program with its line. */
#ifndef CHECK_H
#define CHECK_H

#include <stdio.h>
#include <stdlib.h>

#define EXPECT(condition)                                                                          \
	do {                                                                                       \
		if (!(condition)) {                                                                \
			fprintf(stderr, "%s:%d: expected %s\n", __FILE__, __LINE__, #condition);   \
			exit(99);                                                                  \
		}                                                                                  \
	} while (0)

#endif
