/*
 * Inputs: what a program is given from outside, as conditions speak of it.
 *
 * An input is one number: the number of arguments, a byte of an argument, what a function of the
 * library makes of the text of one (the text may then be any that gives the same answers), a byte
 * of a region the program has declared (heddle_symbolic()), or of a variable of the environment
 * whether it is set, and the same as of an argument.  Its name is the same in every run; its value
 * is that of the run that is about to begin.
 */
#ifndef HEDDLE_MEMO_GIVEN_H
#define HEDDLE_MEMO_GIVEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"

enum memo_kind {
	MEMO_ARGC,
	MEMO_ARG_BYTE, /* byte b of argument a; its end is a byte of 0 */
	MEMO_ARG_TEXT, /* function of argument a from byte b on */
	MEMO_REGION,   /* byte b of declared region a, in the order of the declarations */
	MEMO_ENV_SET,  /* a variable of the environment is set: one bit */
	MEMO_ENV_BYTE, /* byte b of its value; its end is a byte of 0 */
	MEMO_ENV_TEXT, /* function of its value from byte b on */
	MEMO_KINDS
};

/* What is made of a text. */
enum memo_function {
	MEMO_ATOI, /* 32 bits */
	MEMO_STRTOL,
	MEMO_STRTOUL,
	MEMO_STRLEN,
	MEMO_STRTOL_ERROR, /* the error number strtol leaves, 0 when none */
	MEMO_STRTOUL_ERROR,
	MEMO_FUNCTIONS
};

#define MEMO_NAME 32 /* characters of a variable's name, with its end */

struct memo_input {
	uint8_t kind;	  /* enum memo_kind */
	uint8_t function; /* MEMO_ARG_TEXT, MEMO_ENV_TEXT */
	uint8_t base;	  /* of strtol */
	uint8_t width;	  /* bits */
	uint32_t a, b;
	char name[MEMO_NAME]; /* of the variable; all 0 when there is none */
};

struct memo_region {
	const uint8_t *bytes;
	size_t count;
};

/* What one run is given. */
struct memo_given {
	size_t argc;
	char *const *argv;
	char *const *envp; /* NULL: nothing is set */
	const struct memo_region *regions;
	size_t region_count;
};

/* The function that a name of the C library stands for, -1 when there is none. */
int memo_function_named(const char *name);

/* Whether the numbers in it go together; what is read from a file is asked first. */
bool memo_input_valid(const struct memo_input *in);
bool memo_input_equal(const struct memo_input *a, const struct memo_input *b);
/* False when the run has no such input: an argument too few, a byte behind the end. */
bool memo_input_value(const struct memo_given *given, const struct memo_input *in, uint64_t *value);
/* The value of a variable; NULL when it is not set. */
const char *memo_given_variable(const struct memo_given *given, const char *name);
/* Whether conditions may speak of the variable: heddle itself does not change it. */
bool memo_variable_named(const char *name);
/* As people read it: "atoi(argv[1])". */
void memo_input_print(const struct memo_input *in, struct strbuf *to);

#endif
