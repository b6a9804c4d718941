/* Memory of a program before it runs: addresses, initial contents, constructors. */
#include <stdlib.h>
#include <string.h>

#include <llvm-c/Core.h>

#include "symex/code/load.h"
#include "trace/elf/elf_symbols.h"

#define OUTSIDE_DATA (ADDR_OUTSIDE + (UINT64_C(1) << 36))
#define TLS_BEGIN 4096 /* no variable lies at the very start */

/* ---- addresses ---- */

struct by_name {
	const char *name;
	uint64_t addr;
	bool taken;
};

static int compare_names(const void *a, const void *b)
{
	const struct by_name *x = a, *y = b;
	int c = strcmp(x->name, y->name);

	return c ? c : (x->addr > y->addr) - (x->addr < y->addr);
}

struct symbol_list {
	VEC_FIELDS(struct by_name);
};

/* Of several symbols of one name (static in several units) the units have them in order. */
static uint64_t take_symbol(struct symbol_list *l, const char *name)
{
	size_t low = 0, high = l->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (strcmp(l->items[middle].name, name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < l->count && !strcmp(l->items[low].name, name); low++)
		if (!l->items[low].taken) {
			l->items[low].taken = true;
			return l->items[low].addr;
		}
	return 0;
}

static void place_functions(struct symex_program *p, struct symbol_list *l)
{
	uint64_t loose = ADDR_LOOSE, outside = ADDR_OUTSIDE;

	for (size_t i = 0; i < p->functions.count; i++) {
		struct program_function *f = p->functions.items[i];
		uint64_t at = f->value ? take_symbol(l, f->name) : 0;

		if (at)
			f->address = at + ADDR_BIAS;
		else if (f->value)
			f->address = loose += 16;
		else
			f->address = outside += 16;
	}
}

static uint64_t aligned(uint64_t at, uint64_t align)
{
	return (at + align - 1) / align * align;
}

static void place_globals(struct symex_program *p, struct symbol_list *l)
{
	uint64_t loose = ADDR_LOOSE + (UINT64_C(1) << 32), outside = OUTSIDE_DATA;

	p->tls_bytes = TLS_BEGIN;
	p->image_begin = UINT64_MAX;
	for (size_t i = 0; i < p->globals.count; i++) {
		struct program_global *g = &p->globals.items[i];
		uint64_t align =
			g->value ? LLVMPreferredAlignmentOfGlobal(p->layout, g->value) : 16;
		uint64_t said = g->value ? LLVMGetAlignment(g->value) : 0, at;

		align = said > align ? said : align;
		align = align < 16 ? 16 : align;
		if (g->tls) {
			g->address = p->tls_bytes = aligned(p->tls_bytes, align);
			p->tls_bytes += g->bytes + 16;
			continue;
		}
		at = g->value ? take_symbol(l, g->name) : 0;
		g->placed = at != 0;
		if (at) {
			g->address = at + ADDR_BIAS;
		} else if (g->value) {
			g->address = loose = aligned(loose, align);
			loose += g->bytes + 16;
		} else {
			g->address = outside;
			outside = aligned(outside + g->bytes + 16, 4096);
		}
	}
}

/* Streams of the C library, and errno, which every thread has. */
static void add_known(struct symex_program *p)
{
	static const char *const streams[] = {"stdin", "stdout", "stderr"};
	struct program_global no = {
		.name = xstrdup("errno"), .address = ADDR_ERRNO, .bytes = 4, .tls = true};
	uint64_t at = OUTSIDE_DATA + (UINT64_C(1) << 34);

	vec_push(&p->globals, no);
	for (size_t i = 0; i < sizeof(streams) / sizeof(streams[0]); i++, at += 4096) {
		struct program_global file = {.address = at, .bytes = 216};

		file.name = xasprintf("%s's stream", streams[i]);
		mem_map(&p->image, at, 4096);
		for (size_t g = 0; g < p->globals.count; g++)
			if (!p->globals.items[g].value &&
			    !strcmp(p->globals.items[g].name, streams[i])) {
				mem_map(&p->image, p->globals.items[g].address, 8);
				(void)mem_store(&p->image, p->globals.items[g].address, 8, at,
						EXPR_NONE);
			}
		vec_push(&p->globals, file);
	}
}

/* Indices become addresses. */
static void settle_references(struct symex_program *p)
{
	for (size_t u = 0; u < p->units.count; u++)
		for (LLVMValueRef g = LLVMGetFirstGlobal(p->units.items[u].mod); g;
		     g = LLVMGetNextGlobal(g)) {
			uintptr_t index;

			if (ptrmap_get(&p->global_of, g, &index))
				ptrmap_set(&p->global_of, g, p->globals.items[index].address);
		}
}

static int by_address(const void *a, const void *b, void *arg)
{
	const struct symex_program *p = arg;
	uint64_t x = p->functions.items[*(const uint32_t *)a]->address;
	uint64_t y = p->functions.items[*(const uint32_t *)b]->address;

	return (x > y) - (x < y);
}

static int by_global_address(const void *a, const void *b)
{
	const struct program_global *x = a, *y = b;

	if (x->tls != y->tls)
		return x->tls - y->tls;
	return (x->address > y->address) - (x->address < y->address);
}

static void sort_tables(struct symex_program *p)
{
	for (uint32_t i = 0; i < p->functions.count; i++)
		vec_push(&p->by_address, i);
	if (p->by_address.count)
		qsort_r(p->by_address.items, p->by_address.count, sizeof(uint32_t), by_address, p);
	if (p->globals.count)
		qsort(p->globals.items, p->globals.count, sizeof(*p->globals.items),
		      by_global_address);
}

int image_place(struct symex_program *p, const char *path, struct err *e)
{
	struct trace_elf_symbols *symbols;
	struct symbol_list l = VEC_INIT;
	const struct trace_elf_symbol *s;
	int rc = trace_elf_symbols_open(path, &symbols, e);

	if (rc)
		return rc;
	for (size_t i = 0; (s = trace_elf_symbols_get(symbols, i)); i++)
		vec_push(&l, ((struct by_name){s->name, s->addr, false}));
	if (l.count)
		qsort(l.items, l.count, sizeof(*l.items), compare_names);
	place_functions(p, &l);
	place_globals(p, &l);
	vec_free(&l);
	trace_elf_symbols_close(symbols);
	settle_references(p);
	add_known(p);
	sort_tables(p);
	return 0;
}

/* ---- contents ---- */

static void write_leaf(struct symex_program *p, uint64_t at, const struct program_leaf *l,
		       const uint64_t *words)
{
	uint32_t bytes = (l->width + 7) / 8;

	if (l->width > 64) {
		(void)mem_store(&p->image, at, 8, words[0], EXPR_NONE);
		(void)mem_store(&p->image, at + 8, bytes - 8, words[1], EXPR_NONE);
	} else {
		(void)mem_store(&p->image, at, bytes, words[0], EXPR_NONE);
	}
}

/* Aggregates element by element: arrays may be large and sparse. */
static bool write_constant(struct symex_program *p, uint64_t at, LLVMValueRef c)
{
	LLVMTypeRef type = LLVMTypeOf(c);
	LLVMTypeKind kind = LLVMGetTypeKind(type);
	struct program_words words = VEC_INIT;
	struct program_leaves leaves = VEC_INIT;
	bool ok = true;

	if (LLVMIsAConstantAggregateZero(c) || LLVMIsUndef(c) || LLVMIsAConstantPointerNull(c))
		return true;
	if (LLVMIsAConstantDataSequential(c) && LLVMIsConstantString(c)) {
		size_t n;
		const char *text = LLVMGetAsString(c, &n);

		return mem_put(&p->image, at, text, n);
	}
	if (kind == LLVMStructTypeKind) {
		for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++)
			ok &= write_constant(p, at + LLVMOffsetOfElement(p->layout, type, i),
					     LLVMGetAggregateElement(c, i));
		return ok;
	}
	if (kind == LLVMArrayTypeKind) {
		uint64_t size = LLVMABISizeOfType(p->layout, LLVMGetElementType(type));

		for (uint64_t i = 0; i < LLVMGetArrayLength2(type); i++)
			ok &= write_constant(p, at + i * size,
					     LLVMGetAggregateElement(c, (unsigned)i));
		return ok;
	}
	ok = program_constant(p, c, &words) && program_leaves(p, type, &leaves);
	for (size_t i = 0; ok && i < leaves.count; i++)
		write_leaf(p, at + leaves.items[i].offset, &leaves.items[i],
			   &words.items[leaves.items[i].word]);
	vec_free(&words);
	vec_free(&leaves);
	return ok;
}

int image_write(struct symex_program *p, struct err *e)
{
	mem_map(&p->image, ADDR_TLS, p->tls_bytes);
	for (size_t i = 0; i < p->globals.count; i++) {
		const struct program_global *g = &p->globals.items[i];
		/* What thread 0 begins with; other threads get a copy of it. */
		uint64_t at = g->tls ? ADDR_TLS + g->address : g->address;

		mem_map(&p->image, at, g->bytes ? g->bytes : 1);
		if (g->value && !write_constant(p, at, LLVMGetInitializer(g->value)))
			return err_set(e, ERR_UNSUPPORTED, "%s: the initial value of %s", p->path,
				       g->name);
	}
	return 0;
}

/* ---- constructors ---- */

struct constructor {
	uint64_t priority, order, function;
};

static int by_priority(const void *a, const void *b)
{
	const struct constructor *x = a, *y = b;

	if (x->priority != y->priority)
		return x->priority < y->priority ? -1 : 1;
	return (x->order > y->order) - (x->order < y->order);
}

static void find_constructors(struct symex_program *p, const char *list, bool backwards)
{
	VEC(struct constructor) all = VEC_INIT;

	for (size_t u = 0; u < p->units.count; u++) {
		LLVMValueRef g = LLVMGetNamedGlobal(p->units.items[u].mod, list), init;
		unsigned n = g ? (unsigned)LLVMGetArrayLength2(LLVMGlobalGetValueType(g)) : 0;

		init = n ? LLVMGetInitializer(g) : NULL;
		for (unsigned i = 0; i < n; i++) {
			LLVMValueRef one = LLVMGetAggregateElement(init, i);
			struct program_words w = VEC_INIT;

			if (program_constant(p, one, &w) && w.count >= 2)
				vec_push(&all,
					 ((struct constructor){w.items[0], all.count, w.items[1]}));
			vec_free(&w);
		}
	}
	if (all.count)
		qsort(all.items, all.count, sizeof(*all.items), by_priority);
	for (size_t i = 0; i < all.count; i++) {
		size_t at = backwards ? all.count - 1 - i : i;

		if (backwards)
			vec_push(&p->destructors, all.items[at].function);
		else
			vec_push(&p->constructors, all.items[at].function);
	}
	vec_free(&all);
}

void image_constructors(struct symex_program *p)
{
	find_constructors(p, "llvm.global_ctors", false);
	find_constructors(p, "llvm.global_dtors", true);
}
