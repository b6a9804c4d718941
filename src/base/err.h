/*
 * Errors of host code.  A fallible function returns 0 or a negative ERR_* and fills the struct err
 * it was given exactly once, where the failure happened; callers on the way up add context with
 * err_wrap().  Only cli prints.
 */
#ifndef HEDDLE_BASE_ERR_H
#define HEDDLE_BASE_ERR_H

enum err_code {
#define X(name, number, text) ERR_##name = -number,
#include "base/errors.def"
#undef X
};

struct err {
	int code;
	char text[1024];
};

#define ERR_INIT { 0, "" }

/* Fills e (may be NULL) and returns code, so that "return err_set(e, ERR_FORMAT, …)" reads well. */
int err_set(struct err *e, int code, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* The same with strerror(errno) appended after ": ". */
int err_errno(struct err *e, int code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Puts "context: " in front of the text; returns e's code. */
int err_wrap(struct err *e, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Text of a code, never NULL. */
const char *err_name(int code);

#endif
