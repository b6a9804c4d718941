/*
 * The outside: what library functions do to the memory of the program.
 *
 * outside.def has one row per function: X(name, "effects").  Whoever has to know what a call
 * touches reads it from there: the instrumenter, which hands the effects and the arguments of a
 * call to the guest; the guest, which records them; the dependence analysis.  A function without
 * a row, without instrumentation and without a model in the guest is opaque, and a search that met
 * a call of one is not complete.
 *
 * Effects are words separated by blanks, arguments are numbered from 0 in one hexadecimal digit:
 *
 *	rA:LEN	reads memory at argument A		wA:LEN	writes it (known after the call)
 *	wR:LEN	writes what its result points to	w+A:LEN	writes behind the string at A
 *	w*A:LEN	writes what the pointer at argument A points to after the call, unless that failed
 *	wL:LEN	writes where localtime() and gmtime() leave the time; wG:LEN: signgam
 *	pA, PA	argument A is a format of printf, its arguments follow (P: as a va_list)
 *	cA, CA	the same of scanf
 *	h:NAME	uses and changes state NAME inside the library, and its result tells of it
 *	H:NAME	changes it and tells nothing		g:NAME	its result tells of it
 *	hA, HA, gA	the same with the object that argument A points to (a stream)
 *	h^A, H^A, g^A	the same with the buffer of the C++ stream at argument A; h~A of a basic_ios
 *	tA	reads the std::string at argument A	TA	writes it (known after the call)
 *	uA:LEN	may write so much: no more than wA, whose length is only known afterwards
 *	e	after it the stream that a word before it names is no more
 *	x	changes memory of the library		m	its result is a new block of the heap
 *	q	calls back				@	the guest has a model of it besides
 *	i	reads from outside the process; of a stream: from its file
 *	z, Z	writes only when its result is 0; only when it is not
 *
 * LEN is a number of bytes, or
 *
 *	s	a string with its NUL		sB	the same, at most argument B bytes
 *	W, WB	the same of wide characters	aB	argument B, also aB*4, aB*aC
 *	R	the result when positive, also R*4, R*aB
 *	n	a decimal number and the byte behind it; nB: in the base that argument B says
 *	N	the same of a number with a fraction
 *	l, lB	a text of as many characters as the result says and its NUL, at most argument B of
 *		them; lB*4: wide ones
 *	oBC	as many items of argument B bytes as the result says, and a part of one when
 *		argument C says more
 *	yB	a line, at most argument B bytes	eB	argument B, made even
 *	kB	the results in argument B structures of poll()
 *	iB	an address of the family that argument B says
 *	vB	the number of 4 bytes at argument B, as the call leaves it
 *	fB	up to the byte argument B	fB,C	the same, at most argument C bytes
 *	=B	as long as the string at B	=B,C	the same, at most argument C, with a NUL
 *
 * NULL pointers touch nothing.
 */
#ifndef HEDDLE_WIRE_OUTSIDE_H
#define HEDDLE_WIRE_OUTSIDE_H

#include <stdint.h>

#define OUTSIDE_ARGS 64    /* of a call that are handed on */
#define OUTSIDE_SCRATCH 16 /* words behind them that the guest may use during the call */

#endif
