/* A small bundle with something in every part: two threads deadlock over two locks. */
#ifndef HEDDLE_TESTS_SUPPORT_BUNDLE_H
#define HEDDLE_TESTS_SUPPORT_BUNDLE_H

#include "trace/bundle/bundle.h"

/* Fills *b, which must be zeroed; always the same contents. */
void support_bundle_fill(struct trace_bundle *b);

/* Fails the running test when the two differ in any part. */
void support_bundle_assert_equal(const struct trace_bundle *a, const struct trace_bundle *b);

/* Copies every plain file of a directory into another, new one. */
void support_bundle_copy_dir(const char *from, const char *to);

#endif
