/* Allocation, and block operations where no hook stands in between. */
#include <errno.h>
#include <string.h>

#include "symex/library/library.h"
#include "wire/ctl.h"

static uint64_t allocate(struct machine *m, struct library_call *k, uint64_t bytes, uint64_t align)
{
	uint32_t site = library_take_site(k);
	uint64_t at = machine_allocate(m, k->t, bytes, align, site);

	if (k->t->controlled && site != SYMEX_NONE)
		machine_event(m, k->t, EVENT_ALLOC, site, at, bytes, 0);
	return at;
}

static enum library_result malloc_model(struct machine *m, struct library_call *k)
{
	return library_return(k, allocate(m, k, library_amount(m, k, 0), 16));
}

static enum library_result calloc_model(struct machine *m, struct library_call *k)
{
	uint64_t bytes;

	if (__builtin_mul_overflow(library_amount(m, k, 0), library_amount(m, k, 1), &bytes)) {
		library_set_errno(m, k, ENOMEM);
		return library_return(k, 0);
	}
	return library_return(k, allocate(m, k, bytes, 16));
}

static enum library_result new_aligned(struct machine *m, struct library_call *k)
{
	return library_return(k, allocate(m, k, library_arg(m, k, 0), library_arg(m, k, 1)));
}

static enum library_result memalign_model(struct machine *m, struct library_call *k)
{
	return library_return(k, allocate(m, k, library_arg(m, k, 1), library_arg(m, k, 0)));
}

static enum library_result posix_memalign_model(struct machine *m, struct library_call *k)
{
	uint64_t at = allocate(m, k, library_arg(m, k, 2), library_arg(m, k, 1));

	library_put(m, k, library_arg(m, k, 0), &at, 8);
	return library_return(k, 0);
}

/* The C library rounds what it hands out: 8 bytes less than a multiple of 16, 24 at least. */
static uint64_t size_of(const struct machine_block *b)
{
	uint64_t bytes = ((b->bytes + 8 + 15) & ~UINT64_C(15)) - 8;

	if (!b->early)
		return b->bytes;
	return bytes < 24 ? 24 : bytes;
}

static void release(struct machine *m, struct library_call *k, uint64_t at, uint32_t site)
{
	struct machine_block *b = machine_block_at(m, at);

	if (k->t->controlled && site != SYMEX_NONE)
		machine_event(m, k->t, EVENT_FREE, site, at,
			      b && b->base == at && !b->freed ? size_of(b) : 0, 0);
	/* A block that another thread makes or gives back may come later or earlier than this. */
	if (!m->one_space && (!b || (b->freed && !machine_block_gone(m, k->t, b))) &&
	    at >= ADDR_HEAP && at < ADDR_HEAP_END)
		return;
	if (!b || b->base != at) {
		machine_fail(m, k->t, FAILURE_INVALID_FREE, site, at, "free of what is no block");
		machine_escape(m);
	}
	if (b->freed) {
		machine_fail(m, k->t, FAILURE_DOUBLE_FREE, site, at, "free of a block again");
		machine_escape(m);
	}
	b->freed = true;
	b->freed_by = k->t->tid;
}

static enum library_result free_model(struct machine *m, struct library_call *k)
{
	uint64_t at = library_arg(m, k, 0);
	uint32_t site = k->t->at_site;

	if (!at)
		return LIBRARY_DONE;
	(void)library_take_site(k);
	if (site != SYMEX_NONE)
		k->t->last_site = site;
	release(m, k, at, site);
	return LIBRARY_DONE;
}

/* What a block moves with is read and written by the program. */
static void move_block(struct machine *m, struct library_call *k, uint64_t old, uint64_t bytes)
{
	const struct machine_block *b = machine_block_at(m, old);
	uint64_t n = b && size_of(b) < bytes ? size_of(b) : bytes;
	uint32_t site = (uint32_t)k->local[1];
	bool tells = k->t->controlled && site != SYMEX_NONE;
	struct symex_event *e;

	if (tells) {
		e = machine_event(m, k->t, EVENT_READ_RANGE, site, old, n, 0);
		access_read_range(m, k->t, e, old, n);
	}
	(void)mem_move(k->t->space, k->local[0], old, n);
	if (tells) {
		e = machine_event(m, k->t, EVENT_WRITE_RANGE, site, k->local[0], n, EVENT_GLUED);
		access_write_range(m, k->t, e, k->local[0], n);
	}
}

static enum library_result realloc_model(struct machine *m, struct library_call *k)
{
	uint64_t old = library_arg(m, k, 0), bytes = library_arg(m, k, 1);
	uint32_t site = k->t->at_site;
	struct machine_block *b;

	if (!strcmp(k->f->name, "reallocarray") &&
	    __builtin_mul_overflow(bytes, library_arg(m, k, 2), &bytes))
		return library_return(k, 0);
	if (!old)
		return library_return(k, allocate(m, k, bytes, 16));
	if (k->phase == 0 && bytes) {
		b = machine_block_at(m, old);
		if (!b || machine_block_gone(m, k->t, b) || b->base != old) {
			release(m, k, old, site);
			machine_end(m, k->t, SYMEX_END_UNKNOWN, site,
				    "the size of a block of another thread is not known");
			return LIBRARY_END;
		}
		k->local[0] = allocate(m, k, bytes, 16);
		k->local[1] = site;
		k->phase = 1;
		return LIBRARY_AGAIN;
	}
	if (k->phase == 1 && bytes) {
		k->phase = 2;
		move_block(m, k, old, bytes);
		return LIBRARY_AGAIN;
	}
	(void)library_take_site(k);
	release(m, k, old, bytes ? (uint32_t)k->local[1] : site);
	return library_return(k, bytes ? k->local[0] : 0);
}

static enum library_result usable_size(struct machine *m, struct library_call *k)
{
	const struct machine_block *b = machine_block_at(m, library_arg(m, k, 0));

	return library_return(k, b ? size_of(b) : 0);
}

static bool inside(struct machine *m, struct library_call *k, uint64_t at, uint64_t n, bool write)
{
	if (!machine_check(m, k->t, at, n, k->t->last_site, write))
		machine_escape(m);
	return true;
}

static enum library_result copy(struct machine *m, struct library_call *k)
{
	uint64_t to = library_arg(m, k, 0), from = library_arg(m, k, 1), n = library_arg(m, k, 2);

	if (n) {
		(void)inside(m, k, from, n, false);
		(void)inside(m, k, to, n, true);
		(void)mem_move(k->t->space, to, from, n);
	}
	return library_return(k, !strcmp(k->f->name, "mempcpy") ? to + n : to);
}

static enum library_result fill(struct machine *m, struct library_call *k)
{
	uint64_t to = library_arg(m, k, 0), n = library_arg(m, k, 2);

	if (n) {
		(void)inside(m, k, to, n, true);
		(void)mem_fill(k->t->space, to, (uint8_t)library_arg(m, k, 1), n);
	}
	return library_return(k, to);
}

static enum library_result zero(struct machine *m, struct library_call *k)
{
	uint64_t to = library_arg(m, k, 0), n = library_arg(m, k, 1);

	(void)inside(m, k, to, n, true);
	(void)mem_fill(k->t->space, to, 0, n);
	return LIBRARY_DONE;
}

/* Equal bytes are found without knowing them. */
static enum library_result compare(struct machine *m, struct library_call *k)
{
	uint64_t a = library_arg(m, k, 0), b = library_arg(m, k, 1), n = library_arg(m, k, 2);

	for (uint64_t i = 0; i < n; i++) {
		uint8_t x = (uint8_t)library_word(m, k, a + i, 1);
		uint8_t y = (uint8_t)library_word(m, k, b + i, 1);

		if (x != y)
			return library_return(k, (uint64_t)((int)x - (int)y));
	}
	return library_return(k, 0);
}

static enum library_result find(struct machine *m, struct library_call *k)
{
	uint64_t a = library_arg(m, k, 0), n = library_arg(m, k, 2);
	uint8_t byte = (uint8_t)library_arg(m, k, 1);

	for (uint64_t i = 0; i < n; i++)
		if (library_word(m, k, a + i, 1) == byte)
			return library_return(k, a + i);
	return library_return(k, 0);
}

static enum library_result tls_address(struct machine *m, struct library_call *k)
{
	/* The operand is computed for the thread already. */
	return library_return(k, library_arg(m, k, 0));
}

static enum library_result va_copy_model(struct machine *m, struct library_call *k)
{
	(void)mem_move(k->t->space, library_arg(m, k, 0), library_arg(m, k, 1), 24);
	return LIBRARY_DONE;
}

const struct library_row library_memory[] = {
	{"malloc", malloc_model},
	{"calloc", calloc_model},
	{"realloc", realloc_model},
	{"reallocarray", realloc_model},
	{"free", free_model},
	{"cfree", free_model},
	{"memalign", memalign_model},
	{"aligned_alloc", memalign_model},
	{"posix_memalign", posix_memalign_model},
	{"malloc_usable_size", usable_size},
	{"_Znwm", malloc_model},
	{"_Znam", malloc_model},
	{"_ZnwmRKSt9nothrow_t", malloc_model},
	{"_ZnamRKSt9nothrow_t", malloc_model},
	{"_ZnwmSt11align_val_t", new_aligned},
	{"_ZnamSt11align_val_t", new_aligned},
	{"_ZdlPv", free_model},
	{"_ZdaPv", free_model},
	{"_ZdlPvm", free_model},
	{"_ZdaPvm", free_model},
	{"_ZdlPvSt11align_val_t", free_model},
	{"_ZdlPvmSt11align_val_t", free_model},
	{"_ZdaPvSt11align_val_t", free_model},
	{"llvm.memcpy.*", copy},
	{"llvm.memmove.*", copy},
	{"llvm.memset.*", fill},
	{"memcpy", copy},
	{"memmove", copy},
	{"mempcpy", copy},
	{"memset", fill},
	{"bzero", zero},
	{"explicit_bzero", zero},
	{"memcmp", compare},
	{"bcmp", compare},
	{"memchr", find},
	{"llvm.threadlocal.address.*", tls_address},
	{"llvm.va_copy*", va_copy_model},
	{NULL, NULL},
};
