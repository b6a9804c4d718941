/*
 * The door to Z3.  The library is loaded when it is first asked for: it takes milliseconds, and
 * most commands never need it.
 */
#ifndef HEDDLE_SOLVE_Z3_DOOR_H
#define HEDDLE_SOLVE_Z3_DOOR_H

#include <stdbool.h>
#include <z3.h>

#define Z3_DOOR_FUNCTIONS(X)                                                                       \
	X(del_config)                                                                              \
	X(del_context)                                                                             \
	X(get_bool_value)                                                                          \
	X(get_numeral_int64)                                                                       \
	X(get_numeral_uint64)                                                                      \
	X(mk_add)                                                                                  \
	X(mk_app)                                                                                  \
	X(mk_atmost)                                                                               \
	X(mk_bool_sort)                                                                            \
	X(mk_bv_sort)                                                                              \
	X(mk_bvadd)                                                                                \
	X(mk_bvand)                                                                                \
	X(mk_bvashr)                                                                               \
	X(mk_bvlshr)                                                                               \
	X(mk_bvmul)                                                                                \
	X(mk_bvor)                                                                                 \
	X(mk_bvsdiv)                                                                               \
	X(mk_bvshl)                                                                                \
	X(mk_bvsle)                                                                                \
	X(mk_bvslt)                                                                                \
	X(mk_bvsrem)                                                                               \
	X(mk_bvsub)                                                                                \
	X(mk_bvudiv)                                                                               \
	X(mk_bvule)                                                                                \
	X(mk_bvult)                                                                                \
	X(mk_bvurem)                                                                               \
	X(mk_bvxor)                                                                                \
	X(mk_concat)                                                                               \
	X(mk_config)                                                                               \
	X(mk_const)                                                                                \
	X(mk_context)                                                                              \
	X(mk_eq)                                                                                   \
	X(mk_extract)                                                                              \
	X(mk_fresh_const)                                                                          \
	X(mk_func_decl)                                                                            \
	X(mk_implies)                                                                              \
	X(mk_int64)                                                                                \
	X(mk_int_sort)                                                                             \
	X(mk_int_symbol)                                                                           \
	X(mk_ite)                                                                                  \
	X(mk_lt)                                                                                   \
	X(mk_mul)                                                                                  \
	X(mk_not)                                                                                  \
	X(mk_or)                                                                                   \
	X(mk_params)                                                                               \
	X(mk_sign_ext)                                                                             \
	X(mk_solver_for_logic)                                                                     \
	X(mk_string_symbol)                                                                        \
	X(mk_unsigned_int64)                                                                       \
	X(mk_zero_ext)                                                                             \
	X(model_dec_ref)                                                                           \
	X(model_eval)                                                                              \
	X(model_inc_ref)                                                                           \
	X(params_dec_ref)                                                                          \
	X(params_inc_ref)                                                                          \
	X(params_set_uint)                                                                         \
	X(solver_assert)                                                                           \
	X(solver_check_assumptions)                                                                \
	X(solver_dec_ref)                                                                          \
	X(solver_get_model)                                                                        \
	X(solver_inc_ref)                                                                          \
	X(solver_pop)                                                                              \
	X(solver_push)                                                                             \
	X(solver_set_params)

struct z3_door {
#define Z3_DOOR_MEMBER(name) __typeof__(&Z3_##name) name;
	Z3_DOOR_FUNCTIONS(Z3_DOOR_MEMBER)
#undef Z3_DOOR_MEMBER
};

extern struct z3_door z3;

/* False when the library is not installed or lacks a function. */
bool z3_door_open(void);

#endif
