/*
 * Entry points that instrumented code calls.  The instrumenter emits the calls, libheddle.so
 * defines the functions.  All of them are called only when heddle_active is non-zero: the inline
 * wrappers (instr/inline/) test it first and otherwise do the plain access.
 *
 * heddle_active is set once, before any constructor of instrumented code runs, and never changes:
 * compilers may treat loads of it as invariant.
 *
 * "site" points to the record of the source location (wire/site.h), never NULL.
 */
#ifndef HEDDLE_WIRE_HOOKS_H
#define HEDDLE_WIRE_HOOKS_H

#include <stddef.h>
#include <stdint.h>

#include "wire/site.h"

extern int heddle_active;

typedef const struct heddle_site *heddle_site_ref;

/* Every translation unit registers its module from a constructor; the runtime ignores repeats. */
void heddle_hook_module(const struct heddle_site *sites_begin, const struct heddle_site *sites_end,
			const struct heddle_function *funcs_begin,
			const struct heddle_function *funcs_end);

/* Plain accesses.  The runtime performs the access and hands back the value. */
uint8_t heddle_hook_load1(const void *addr, heddle_site_ref site);
uint16_t heddle_hook_load2(const void *addr, heddle_site_ref site);
uint32_t heddle_hook_load4(const void *addr, heddle_site_ref site);
uint64_t heddle_hook_load8(const void *addr, heddle_site_ref site);
void heddle_hook_store1(void *addr, uint8_t value, heddle_site_ref site);
void heddle_hook_store2(void *addr, uint16_t value, heddle_site_ref site);
void heddle_hook_store4(void *addr, uint32_t value, heddle_site_ref site);
void heddle_hook_store8(void *addr, uint64_t value, heddle_site_ref site);
/* Any other size (vectors, long double, aggregates): through a private copy of n bytes. */
void heddle_hook_load_n(void *copy, const void *addr, size_t n, heddle_site_ref site);
void heddle_hook_store_n(void *addr, const void *copy, size_t n, heddle_site_ref site);

/* Atomics.  order is enum wire_order.  Sizes 1, 2, 4, 8; values zero-extended. */
uint64_t heddle_hook_atomic_load(const void *addr, uint32_t size, uint32_t order,
				 heddle_site_ref site);
void heddle_hook_atomic_store(void *addr, uint64_t value, uint32_t size, uint32_t order,
			      heddle_site_ref site);

enum heddle_rmw {
	HEDDLE_RMW_XCHG,
	HEDDLE_RMW_ADD,
	HEDDLE_RMW_SUB,
	HEDDLE_RMW_AND,
	HEDDLE_RMW_NAND,
	HEDDLE_RMW_OR,
	HEDDLE_RMW_XOR,
	HEDDLE_RMW_MAX,
	HEDDLE_RMW_MIN,
	HEDDLE_RMW_UMAX,
	HEDDLE_RMW_UMIN,
	HEDDLE_RMW_FADD, /* size 4: float, size 8: double */
	HEDDLE_RMW_FSUB,
};
/* Returns the old value. */
uint64_t heddle_hook_atomic_rmw(void *addr, uint64_t operand, uint32_t size, uint32_t op,
				uint32_t order, heddle_site_ref site);
/* Returns the old value; the exchange happened iff it equals expected. */
uint64_t heddle_hook_atomic_cas(void *addr, uint64_t expected, uint64_t desired, uint32_t size,
				uint32_t order, heddle_site_ref site);
/* The weak form: returns 1 when exchanged; *expected receives the old value in any case. */
int heddle_hook_atomic_cas_weak(void *addr, uint64_t *expected, uint64_t desired, uint32_t size,
				uint32_t order, heddle_site_ref site);
/*
 * Any number of bytes (structures, 16 bytes).  The old bytes go to *old and *desired to memory; either
 * may be NULL: a load, a store, or both in one.
 */
void heddle_hook_atomic_swap_n(void *addr, void *old, const void *desired, size_t n, uint32_t order,
			       heddle_site_ref site);
/* Returns 1 when exchanged; *expected receives the old bytes in any case. */
int heddle_hook_atomic_cas_n(void *addr, void *expected, const void *desired, size_t n,
			     uint32_t order, heddle_site_ref site);
void heddle_hook_fence(uint32_t order, heddle_site_ref site);

/* Block operations, both the intrinsics and the libc functions. */
void *heddle_hook_memcpy(void *to, const void *from, size_t n, heddle_site_ref site);
void *heddle_hook_memmove(void *to, const void *from, size_t n, heddle_site_ref site);
void *heddle_hook_memset(void *to, int byte, size_t n, heddle_site_ref site);

/* Markers. */
/* A conditional branch or switch; direction is 0/1 or the successor's number. */
void heddle_hook_branch(uint32_t direction, heddle_site_ref site);
/* Two pointers are about to be compared for equality. */
void heddle_hook_compare(const void *a, const void *b);
/*
 * End of one iteration of a loop that stores nothing into private memory and calls nothing of unknown
 * effect; carried stands for the values it hands to the next one.  If the thread wrote nothing, read
 * only unchanged values and carries the same since the previous call from the same site, the
 * iteration was a no-op and the thread may be parked until one of those values changes.
 */
void heddle_hook_spin(heddle_site_ref site, uint64_t carried);
/*
 * The loop that site belongs to is entered: what was seen of its iterations before is of another wait.
 * collects: its first iteration begins here, and with what carried stands for.
 */
void heddle_hook_spin_enter(heddle_site_ref site, uint64_t carried, uint32_t collects);
/* Entry of an instrumented function. */
void heddle_hook_enter(heddle_site_ref site);
/* Before an instrumented function returns; site is that of its entry. */
void heddle_hook_leave(heddle_site_ref site);
/* Before a call whose target may be an instrumented function: names the call site. */
void heddle_hook_into(heddle_site_ref site);
/* Before a call whose target is not known to be instrumented, modelled or free of side effects. */
void heddle_hook_call(const void *target, heddle_site_ref site);
/*
 * Before and after a call of a function that is not of instrumented code, or may not be.  effects:
 * what is known of it (wire/outside.h); NULL when it is called through a pointer, which may lead
 * anywhere.  args: the `count' arguments as words, reals as 0, followed by OUTSIDE_SCRATCH words
 * for the guest.
 */
void heddle_hook_outside(const void *target, const char *effects, uint64_t *args, uint32_t count,
			 heddle_site_ref site);
void heddle_hook_outside_done(const void *target, const char *effects, uint64_t *args,
			      uint32_t count, int64_t result, heddle_site_ref site);
/* Before a call of a modelled library function (pthread_*, sem_*, malloc, …): names the call site. */
void heddle_hook_at(heddle_site_ref site);

#endif
