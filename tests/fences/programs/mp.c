/*
 * Message passing: three pieces of data and a flag.  One release is enough, and TSO needs none.
 * fails: pso
 */
#include "fences.h"

static _Atomic int data[3], flag;

static void *writer(void *arg)
{
	for (int i = 0; i < 3; i++)
		WRITE(data[i], 1);
	RELEASE(1, flag, 1); // release 1: pso
	return arg;
}

static void *reader(void *arg)
{
	if (READ(flag) == 1)
		for (int i = 0; i < 3; i++)
			heddle_assert(READ(data[i]) == 1);
	return arg;
}

PROGRAM(nothing, writer, reader)
