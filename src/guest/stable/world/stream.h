/* Streams of the C library, for the wrappers that close them. */
#ifndef HEDDLE_STABLE_STREAM_H
#define HEDDLE_STABLE_STREAM_H

#include <stdio.h>

/* It is about to be closed, with its descriptor. */
void stream_closed(FILE *stream);

#endif
