/*
 * Reads a compiler driver's command line: which arguments are inputs, which concern the front end,
 * the code generator or the linker, and what is asked for.  Nothing is changed or run here.
 */
#ifndef HEDDLE_CC_SCAN_H
#define HEDDLE_CC_SCAN_H

#include <stdbool.h>

#include "base/err.h"
#include "base/vec.h"
#include "cc/response.h"

enum cc_mode {
	CC_LINK,     /* sources and objects to a program or library */
	CC_COMPILE,  /* -c */
	CC_ASSEMBLE, /* -S */
	CC_PASS,     /* not our business (-E, -M, --version, …): the compiler gets it as it is */
	CC_EXTRACT,  /* --extract-bitcode FILE */
	CC_DERIVE,   /* --derive FILE */
	CC_HELP,     /* --help */
};

enum cc_class {
	CC_SOURCE, /* C or C++ to be instrumented */
	CC_INPUT,  /* any other input: object, archive, assembly */
	CC_FRONT,  /* preprocessor and front end only */
	CC_LINKER, /* linker only */
	CC_ALL,	   /* front end, code generation and linking */
	CC_DEPS,   /* dependency output */
	CC_OWN,	   /* handled by the wrapper */
};

struct cc_arg {
	enum cc_class class;
	const char *text;
	const char *value;    /* the separate word after it, or NULL */
	const char *language; /* of an input under -x, or NULL */
};

struct cc_scan {
	enum cc_mode mode;
	VEC(struct cc_arg) args;
	struct response_words words; /* the command line with response files put in; owned */
	bool cxx;		     /* called as a C++ compiler */
	const char *output;
	const char *flavor;
	bool mark_all; /* --mark=all */
	const char *elements; /* --elements=FILE */
	const char *extract;
	bool optimize; /* last -O is not -O0 */
	bool debug;    /* last -g is not -g0 */
	bool deps;     /* -MD or -MMD */
	bool deps_file, deps_target;
	bool relocatable; /* -r */
	bool verbose;	  /* -v */
	unsigned sources, inputs;
	VEC(const char *) warnings;
};

/* argv without the program's name.  The texts of the result live as long as the result. */
int cc_scan(struct cc_scan *s, bool cxx, char *const argv[], struct err *e);
void cc_scan_fini(struct cc_scan *s);

#endif
