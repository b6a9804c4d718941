/*
 * Properties of a program under test, and what its author meant.
 *
 * heddle_assert(expression) states what must hold here.  When it does not, the execution is a
 * finding of heddle; without heddle around the program, it says so on standard error and aborts.
 * NDEBUG does not remove it.
 *
 * heddle_assume(expression) states what the test is about: an execution in which it does not hold
 * ends here and counts neither as a failure nor as a behaviour.  Without heddle it does nothing,
 * though the expression is still evaluated.
 *
 * heddle_atomic_begin("name") … heddle_atomic_end() says that a thread means what stands between
 * them to happen at once.  heddle predict then asks of these blocks, instead of those it infers
 * from locks, whether another thread can get in between with an effect no serial order has.  The
 * marks change nothing in an execution.  Blocks may nest; only the outermost counts.
 *
 * None of them needs a library: the functions behind them are weak, and libheddle.so has them.
 */
#ifndef HEDDLE_HEDDLE_H
#define HEDDLE_HEDDLE_H

#include <stdio.h>
#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif

/* In libheddle.so; NULL in a program that is not linked with it.  Do not call them. */
__attribute__((__weak__, __noreturn__, __cold__)) void
heddle_property_assert_failed(const char *expression, const char *file, unsigned line,
			      const char *function);
__attribute__((__weak__, __cold__)) void
heddle_property_assume_failed(const char *expression, const char *file, unsigned line,
			      const char *function);
__attribute__((__weak__)) void heddle_marker_atomic_begin(const char *name);
__attribute__((__weak__)) void heddle_marker_atomic_end(void);

__attribute__((__noreturn__, __unused__, __cold__)) static inline void
heddle_assert_failed_(const char *expression, const char *file, unsigned line, const char *function)
{
	fprintf(stderr, "%s:%u: %s: heddle_assert(%s) failed.\n", file, line, function, expression);
	abort();
}

#ifdef __cplusplus
}
#define HEDDLE_HOLDS_(expression) (static_cast<bool>(expression))
#else
#define HEDDLE_HOLDS_(expression) ((expression) ? 1 : 0)
#endif

/* The calls stand here, not in a function, so that findings name the line of the property. */
#define HEDDLE_ASSERT_FAILED_(text)                                                                \
	(heddle_property_assert_failed ?                                                           \
		 heddle_property_assert_failed(text, __FILE__, __LINE__, __func__) :               \
		 heddle_assert_failed_(text, __FILE__, __LINE__, __func__))
#define HEDDLE_ASSUME_FAILED_(text)                                                                \
	(heddle_property_assume_failed ?                                                           \
		 heddle_property_assume_failed(text, __FILE__, __LINE__, __func__) :               \
		 (void)0)

#define heddle_assert(expression)                                                                  \
	(HEDDLE_HOLDS_(expression) ? (void)0 : HEDDLE_ASSERT_FAILED_(#expression))
#define heddle_assume(expression)                                                                  \
	(HEDDLE_HOLDS_(expression) ? (void)0 : HEDDLE_ASSUME_FAILED_(#expression))

#define heddle_atomic_begin(name)                                                                  \
	(heddle_marker_atomic_begin ? heddle_marker_atomic_begin(name) : (void)0)
#define heddle_atomic_end() (heddle_marker_atomic_end ? heddle_marker_atomic_end() : (void)0)

#endif
