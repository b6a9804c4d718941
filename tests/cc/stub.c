/*
 * A runtime for the tests of the instrumenter: performs every access and prints what it was told,
 * one line each, when STUB_LOG names a file; HEDDLE_ACTIVE=1 makes it take part at all.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wire/event.h"
#include "wire/hooks.h"

int heddle_active;
static FILE *out;

__attribute__((constructor)) static void stub_start(void)
{
	const char *active = getenv("HEDDLE_ACTIVE");
	const char *path = getenv("STUB_LOG");

	heddle_active = active && active[0] == '1';
	if (path)
		out = fopen(path, "we");
}

static const char *text(const void *record, int32_t distance)
{
	return distance ? (const char *)record + distance : "-";
}

static const char *kind_name(unsigned kind)
{
	switch (kind) {
#define X(name, number, text, class)                                                               \
	case number:                                                                               \
		return text;
#include "wire/events.def"
#undef X
	}
	return "?";
}

/* The whole path: clang cuts off what the file has in common with the compilation directory. */
static const char *path(heddle_site_ref s)
{
	static char whole[4096];
	const char *file = text(s, s->file);

	if (file[0] == '/')
		return file;
	snprintf(whole, sizeof(whole), "%s/%s", text(s, s->dir), file);
	return whole;
}

static void say(const char *what, heddle_site_ref s)
{
	if (!out)
		return;
	fprintf(out, "%s %s %s:%u:%u %s size=%u flags=%u name=%s\n", what, kind_name(s->kind),
		path(s), s->line, s->column, text(s, s->func), s->size, s->flags, text(s, s->name));
	fflush(out);
}

void heddle_hook_module(const struct heddle_site *sites_begin, const struct heddle_site *sites_end,
			const struct heddle_function *funcs_begin,
			const struct heddle_function *funcs_end)
{
	if (!out)
		return;
	fprintf(out, "module sites=%d funcs=%d\n", sites_end > sites_begin, funcs_end > funcs_begin);
	for (const struct heddle_site *s = sites_begin; s < sites_end; s++)
		fprintf(out, "site %s %s:%u\n", kind_name(s->kind), path(s), s->line);
	for (const struct heddle_function *f = funcs_begin; f < funcs_end; f++)
		fprintf(out, "function %s\n", text(f, f->name));
	fflush(out);
}

#define PLAIN(bytes, type)                                                                         \
	type heddle_hook_load##bytes(const void *addr, heddle_site_ref site)                       \
	{                                                                                          \
		type value;                                                                        \
		say("load", site);                                                                 \
		memcpy(&value, addr, sizeof(value));                                               \
		return value;                                                                      \
	}                                                                                          \
	void heddle_hook_store##bytes(void *addr, type value, heddle_site_ref site)                \
	{                                                                                          \
		say("store", site);                                                                \
		memcpy(addr, &value, sizeof(value));                                               \
	}
PLAIN(1, uint8_t)
PLAIN(2, uint16_t)
PLAIN(4, uint32_t)
PLAIN(8, uint64_t)

void heddle_hook_load_n(void *copy, const void *addr, size_t n, heddle_site_ref site)
{
	say("load_n", site);
	memcpy(copy, addr, n);
}

void heddle_hook_store_n(void *addr, const void *copy, size_t n, heddle_site_ref site)
{
	say("store_n", site);
	memcpy(addr, copy, n);
}

static uint64_t get(const void *addr, uint32_t size)
{
	switch (size) {
	case 1:
		return __atomic_load_n((const uint8_t *)addr, __ATOMIC_SEQ_CST);
	case 2:
		return __atomic_load_n((const uint16_t *)addr, __ATOMIC_SEQ_CST);
	case 4:
		return __atomic_load_n((const uint32_t *)addr, __ATOMIC_SEQ_CST);
	default:
		return __atomic_load_n((const uint64_t *)addr, __ATOMIC_SEQ_CST);
	}
}

static int swap(void *addr, uint64_t *expected, uint64_t desired, uint32_t size)
{
	uint8_t e1 = (uint8_t)*expected;
	uint16_t e2 = (uint16_t)*expected;
	uint32_t e4 = (uint32_t)*expected;
	int done;

#define SWAP(e, type)                                                                              \
	done = __atomic_compare_exchange_n((type *)addr, &e, (type)desired, 0, __ATOMIC_SEQ_CST,   \
					   __ATOMIC_SEQ_CST);                                      \
	*expected = e;
	switch (size) {
	case 1:
		SWAP(e1, uint8_t);
		break;
	case 2:
		SWAP(e2, uint16_t);
		break;
	case 4:
		SWAP(e4, uint32_t);
		break;
	default:
		return __atomic_compare_exchange_n((uint64_t *)addr, expected, desired, 0,
						   __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
	}
	return done;
}

uint64_t heddle_hook_atomic_load(const void *addr, uint32_t size, uint32_t order,
				 heddle_site_ref site)
{
	say("atomic_load", site);
	return get(addr, size);
}

void heddle_hook_atomic_store(void *addr, uint64_t value, uint32_t size, uint32_t order,
			      heddle_site_ref site)
{
	uint64_t old = get(addr, size);

	say("atomic_store", site);
	while (!swap(addr, &old, value, size))
		;
}

static int64_t extended(uint64_t value, uint32_t size)
{
	unsigned shift = 64 - 8 * size;

	return (int64_t)(value << shift) >> shift;
}

static uint64_t added(uint64_t a, uint64_t b, uint32_t size, double sign)
{
	uint64_t bits = 0;

	if (size == 4) {
		float x, y;

		memcpy(&x, &a, 4);
		memcpy(&y, &b, 4);
		x += (float)sign * y;
		memcpy(&bits, &x, 4);
	} else {
		double x, y;

		memcpy(&x, &a, 8);
		memcpy(&y, &b, 8);
		x += sign * y;
		memcpy(&bits, &x, 8);
	}
	return bits;
}

static uint64_t combine(uint64_t a, uint64_t b, uint32_t size, uint32_t op)
{
	switch (op) {
	case HEDDLE_RMW_XCHG:
		return b;
	case HEDDLE_RMW_ADD:
		return a + b;
	case HEDDLE_RMW_SUB:
		return a - b;
	case HEDDLE_RMW_AND:
		return a & b;
	case HEDDLE_RMW_NAND:
		return ~(a & b);
	case HEDDLE_RMW_OR:
		return a | b;
	case HEDDLE_RMW_XOR:
		return a ^ b;
	case HEDDLE_RMW_MAX:
		return extended(a, size) > extended(b, size) ? a : b;
	case HEDDLE_RMW_MIN:
		return extended(a, size) < extended(b, size) ? a : b;
	case HEDDLE_RMW_UMAX:
		return a > b ? a : b;
	case HEDDLE_RMW_UMIN:
		return a < b ? a : b;
	case HEDDLE_RMW_FADD:
		return added(a, b, size, 1.0);
	case HEDDLE_RMW_FSUB:
		return added(a, b, size, -1.0);
	}
	abort();
}

uint64_t heddle_hook_atomic_rmw(void *addr, uint64_t operand, uint32_t size, uint32_t op,
				uint32_t order, heddle_site_ref site)
{
	uint64_t old = get(addr, size);

	say("atomic_rmw", site);
	while (!swap(addr, &old, combine(old, operand, size, op), size))
		;
	return old;
}

uint64_t heddle_hook_atomic_cas(void *addr, uint64_t expected, uint64_t desired, uint32_t size,
				uint32_t order, heddle_site_ref site)
{
	say("atomic_cas", site);
	swap(addr, &expected, desired, size);
	return expected;
}

int heddle_hook_atomic_cas_weak(void *addr, uint64_t *expected, uint64_t desired, uint32_t size,
				uint32_t order, heddle_site_ref site)
{
	uint64_t wanted = *expected;

	*expected = heddle_hook_atomic_cas(addr, wanted, desired, size, order, site);
	return *expected == wanted;
}

int heddle_hook_atomic_cas_n(void *addr, void *expected, const void *desired, size_t n,
			     uint32_t order, heddle_site_ref site)
{
	int same = !memcmp(addr, expected, n);

	say("atomic_cas_n", site);
	memcpy(expected, addr, n);
	if (same)
		memcpy(addr, desired, n);
	return same;
}

void heddle_hook_atomic_swap_n(void *addr, void *old, const void *desired, size_t n, uint32_t order,
			       heddle_site_ref site)
{
	say(!old ? "atomic_store_n" : desired ? "atomic_swap_n" : "atomic_load_n", site);
	if (old)
		memcpy(old, addr, n);
	if (desired)
		memcpy(addr, desired, n);
}

void heddle_hook_fence(uint32_t order, heddle_site_ref site)
{
	say("fence", site);
}

void *heddle_hook_memcpy(void *to, const void *from, size_t n, heddle_site_ref site)
{
	say("memcpy", site);
	return memcpy(to, from, n);
}

void *heddle_hook_memmove(void *to, const void *from, size_t n, heddle_site_ref site)
{
	say("memmove", site);
	return memmove(to, from, n);
}

void *heddle_hook_memset(void *to, int byte, size_t n, heddle_site_ref site)
{
	say("memset", site);
	return memset(to, byte, n);
}

void heddle_hook_branch(uint32_t direction, heddle_site_ref site)
{
	say(direction ? "branch-1" : "branch-0", site);
}

/* Only the guest knows which addresses are of blocks. */
void heddle_hook_compare(const void *a, const void *b)
{
	(void)a;
	(void)b;
}

void heddle_hook_spin(heddle_site_ref site, uint64_t carried)
{
	say("spin", site);
}

void heddle_hook_spin_enter(heddle_site_ref site, uint64_t carried, uint32_t collects)
{
	(void)site;
}

void heddle_hook_enter(heddle_site_ref site)
{
	say("enter", site);
}

/* They only frame what the other hooks say. */
void heddle_hook_leave(heddle_site_ref site)
{
}

void heddle_hook_into(heddle_site_ref site)
{
}

void heddle_hook_call(const void *target, heddle_site_ref site)
{
	say("call", site);
}

void heddle_hook_at(heddle_site_ref site)
{
	say("at", site);
}

/* Through a pointer it may be one of the program's own, which says so itself. */
void heddle_hook_outside(const void *target, const char *effects, uint64_t *args, uint32_t count,
			 heddle_site_ref site)
{
	say("call", site);
}

void heddle_hook_outside_done(const void *target, const char *effects, uint64_t *args,
			      uint32_t count, int64_t result, heddle_site_ref site)
{
}
