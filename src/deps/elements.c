#include "deps/elements.h"

#include <stdlib.h>
#include <string.h>

#include <llvm-c/Core.h>

#include "base/fs.h"
#include "base/vec.h"
#include "instr/again.h"
#include "instr/element.h"
#include "ir/bitcode.h"
#include "ir/module.h"
#include "wire/coop.h"

struct name_set {
	VEC_FIELDS(char *); /* sorted once all are there */
};

struct edge {
	char *from, *to;
};

/* A site with what it accesses, numbered over the whole program. */
struct use {
	struct element_seen seen;
	uint32_t site;
	char *block; /* name of a stretch that counts; NULL: of none, or not asked for */
};

struct finder {
	VEC(struct use) uses;
	VEC(struct edge) calls;
	struct name_set reached; /* functions that threads may run, in the order they were found */
	struct name_set names;	 /* of the elements that count */
	enum coop_flavour flavour;
	uint32_t sites;
	uint64_t hash[2];
};

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static int by_caller(const void *a, const void *b)
{
	return strcmp(((const struct edge *)a)->from, ((const struct edge *)b)->from);
}

static char *name_of(LLVMValueRef global)
{
	size_t bytes;
	const char *name = LLVMGetValueName2(global, &bytes);

	return xstrndup(name, bytes);
}

/* ---- what threads may run ---- */

static void add_calls(struct finder *f, LLVMValueRef function)
{
	bool taken = false;

	for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
		LLVMValueRef user = LLVMGetUser(use);

		if ((LLVMIsACallInst(user) || LLVMIsAInvokeInst(user)) &&
		    LLVMGetCalledValue(user) == function) {
			LLVMValueRef caller =
				LLVMGetBasicBlockParent(LLVMGetInstructionParent(user));

			vec_push(&f->calls, ((struct edge){name_of(caller), name_of(function)}));
			for (unsigned i = 0; i < LLVMGetNumArgOperands(user); i++)
				taken |= LLVMGetArgOperand(user, i) == function;
		} else {
			taken = true;
		}
	}
	if (taken)
		vec_push(&f->reached, name_of(function));
}

static bool is_sorted_in(const struct name_set *s, const char *name)
{
	return s->count && bsearch(&name, s->items, s->count, sizeof(*s->items), by_text);
}

static void add_once(struct name_set *sorted, struct name_set *list, const char *name)
{
	size_t at = 0;

	if (is_sorted_in(sorted, name))
		return;
	vec_push(list, xstrdup(name));
	vec_push(sorted, list->items[list->count - 1]);
	for (at = sorted->count - 1; at && strcmp(sorted->items[at - 1], sorted->items[at]) > 0;
	     at--) {
		char *kept = sorted->items[at];

		sorted->items[at] = sorted->items[at - 1];
		sorted->items[at - 1] = kept;
	}
}

/* Everything that is called from there; afterwards f->reached is sorted. */
static void reach(struct finder *f)
{
	struct name_set sorted = {NULL, 0, 0}, list = {NULL, 0, 0};

	if (f->calls.count)
		qsort(f->calls.items, f->calls.count, sizeof(*f->calls.items), by_caller);
	for (size_t i = 0; i < f->reached.count; i++) {
		add_once(&sorted, &list, f->reached.items[i]);
		free(f->reached.items[i]);
	}
	for (size_t i = 0; i < list.count; i++) {
		size_t low = 0, high = f->calls.count;

		while (low < high) {
			size_t middle = low + (high - low) / 2;

			if (strcmp(f->calls.items[middle].from, list.items[i]) < 0)
				low = middle + 1;
			else
				high = middle;
		}
		for (; low < f->calls.count && !strcmp(f->calls.items[low].from, list.items[i]);
		     low++)
			add_once(&sorted, &list, f->calls.items[low].to);
	}
	vec_free(&f->reached);
	f->reached.items = sorted.items;
	f->reached.count = sorted.count;
	f->reached.capacity = sorted.capacity;
	vec_free(&list);
}

/* ---- units ---- */

static int read_unit(struct finder *f, LLVMContextRef ctx, const struct ir_bitcode_unit *u,
		     struct err *e)
{
	struct elements seen = {NULL, 0, 0};
	struct instr_again again = {.mod = NULL, .elements = &seen};
	int rc = instr_again(ctx, u->bytes, u->count, instr_flavor_find(INSTR_FLAVOR_DEFAULT),
			     &again, e);

	for (int i = 0; i < 2; i++) {
		f->hash[i] = fs_hash(f->hash[i], u->name, strlen(u->name) + 1);
		f->hash[i] = fs_hash(f->hash[i], u->bytes, u->count);
	}
	if (rc) {
		elements_free(&seen);
		return rc;
	}
	for (size_t i = 0; i < seen.count; i++)
		vec_push(&f->uses,
			 ((struct use){seen.items[i], f->sites + seen.items[i].site, NULL}));
	vec_free(&seen);
	f->sites += again.sites;
	for (LLVMValueRef x = LLVMGetFirstFunction(again.mod); x; x = LLVMGetNextFunction(x))
		if (!LLVMGetIntrinsicID(x))
			add_calls(f, x);
	LLVMDisposeModule(again.mod);
	return 0;
}

/* ---- elements ---- */

static int by_element(const void *a, const void *b)
{
	const struct use *x = a, *y = b;
	int order = strcmp(x->seen.name, y->seen.name);

	return order ? order : x->site < y->site ? -1 : x->site > y->site;
}

static bool counts(const struct finder *f, size_t from, size_t to, bool *sync)
{
	bool written = false, shared = false;

	*sync = false;
	for (size_t i = from; i < to; i++) {
		const struct element_seen *s = &f->uses.items[i].seen;

		written |= s->writes;
		*sync |= s->use != ELEMENT_AROUND;
		shared |= is_sorted_in(&f->reached, s->function);
	}
	return written && shared;
}

/* So many are left of sorted texts when equal ones count once. */
static size_t keep_different(char **texts, size_t n)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++)
		if (!kept || strcmp(texts[kept - 1], texts[i]) != 0)
			texts[kept++] = texts[i];
	return kept;
}

static void put_u32(struct strbuf *out, uint32_t value)
{
	strbuf_add_bytes(out, &value, sizeof(value));
}

/* Mutexes of waits are named by locking them elsewhere, or not at all. */
static uint32_t number_of(const struct finder *f, const char *name)
{
	char **found;

	if (!name || !f->names.count)
		return COOP_NO_ELEMENT;
	found = bsearch(&name, f->names.items, f->names.count, sizeof(char *), by_text);
	return found ? (uint32_t)(found - f->names.items) : COOP_NO_ELEMENT;
}

static void write_elements(struct finder *f, struct strbuf *out)
{
	bool sync;

	if (f->uses.count)
		qsort(f->uses.items, f->uses.count, sizeof(*f->uses.items), by_element);
	for (size_t i = 0, k; i < f->uses.count; i = k) {
		const char *name = f->uses.items[i].seen.name;

		for (k = i + 1; k < f->uses.count && !strcmp(f->uses.items[k].seen.name, name);)
			k++;
		if (!counts(f, i, k, &sync))
			continue;
		vec_push(&f->names, (char *)name);
		put_u32(out, sync ? COOP_ELEMENT_SYNC : 0);
		put_u32(out, (uint32_t)strlen(name));
		strbuf_add(out, name);
	}
}

static void write_sites(const struct finder *f, struct strbuf *out)
{
	struct coop_site *sites = xcalloc(f->sites + 1, sizeof(*sites));

	for (uint32_t i = 0; i < f->sites; i++)
		sites[i] = (struct coop_site){COOP_NO_ELEMENT, COOP_NO_ELEMENT, COOP_NO_ELEMENT, 0};
	for (size_t i = 0; i < f->uses.count; i++) {
		const struct use *u = &f->uses.items[i];

		if (u->site < f->sites)
			sites[u->site] =
				(struct coop_site){number_of(f, u->seen.name),
						   number_of(f, u->seen.mutex), COOP_NO_ELEMENT, 0};
	}
	if (f->sites)
		strbuf_add_bytes(out, sites, f->sites * sizeof(*sites));
	free(sites);
}

/* ---- blocks ---- */

static int by_site(const void *a, const void *b)
{
	const struct use *x = a, *y = b;

	return x->site < y->site ? -1 : x->site > y->site;
}

/* One behind the uses of one stretch. */
static size_t stretch_end(const struct finder *f, size_t from)
{
	const struct element_seen *first = &f->uses.items[from].seen;
	size_t i = from + 1;

	while (i < f->uses.count && element_same_stretch(&f->uses.items[i].seen, first))
		i++;
	return i;
}

/* Of those that access shared elements the uses are called after their stretch, others nothing. */
static void name_stretches(struct finder *f)
{
	qsort(f->uses.items, f->uses.count, sizeof(*f->uses.items), by_site);
	for (size_t i = 0, end; i < f->uses.count; i = end) {
		struct strbuf name = STRBUF_INIT;
		bool shared = false;

		end = stretch_end(f, i);
		for (size_t k = i; k < end; k++)
			shared |= number_of(f, f->uses.items[k].seen.name) != COOP_NO_ELEMENT;
		if (shared)
			element_stretch_name(&f->uses.items[i].seen, &name);
		for (size_t k = i; k < end; k++)
			f->uses.items[k].block = shared ? xstrdup(name.text) : NULL;
		strbuf_free(&name);
	}
}

static void write_blocks(struct finder *f, struct strbuf *out)
{
	vec_clear(&f->names);
	for (size_t i = 0; i < f->uses.count; i++)
		if (f->uses.items[i].block)
			vec_push(&f->names, f->uses.items[i].block);
	if (f->names.count)
		qsort(f->names.items, f->names.count, sizeof(*f->names.items), by_text);
	f->names.count = keep_different(f->names.items, f->names.count);
	for (size_t i = 0; i < f->names.count; i++) {
		put_u32(out, 0);
		put_u32(out, (uint32_t)strlen(f->names.items[i]));
		strbuf_add(out, f->names.items[i]);
	}
}

static void write_block_sites(const struct finder *f, struct strbuf *out)
{
	struct coop_site *sites = xcalloc(f->sites + 1, sizeof(*sites));

	memset(sites, 0xff, f->sites * sizeof(*sites));
	for (size_t i = 0, end; i < f->uses.count; i = end) {
		uint32_t number = number_of(f, f->uses.items[i].block);

		end = stretch_end(f, i);
		for (size_t k = i; k < end && number != COOP_NO_ELEMENT; k++) {
			struct coop_site *s = &sites[f->uses.items[k].site];

			*(k == i ? &s->element : &s->inside) = number;
		}
	}
	if (f->sites)
		strbuf_add_bytes(out, sites, f->sites * sizeof(*sites));
	free(sites);
}

/* ---- the table ---- */

static void write_table(struct finder *f, struct strbuf *out)
{
	struct coop_table head = {
		.magic = COOP_TABLE_MAGIC, .sites = f->sites, .flavour = f->flavour};
	struct strbuf rows = STRBUF_INIT;

	write_elements(f, &rows);
	if (f->flavour == COOP_BLOCKS) {
		rows.length = 0;
		name_stretches(f);
		write_blocks(f, &rows);
	}
	head.elements = (uint32_t)f->names.count;
	memcpy(head.build, f->hash, sizeof(f->hash));
	memcpy(head.build + sizeof(f->hash), &f->sites, sizeof(f->sites));
	head.build[COOP_BUILD_FLAVOUR] = (uint8_t)f->flavour;
	strbuf_add_bytes(out, &head, sizeof(head));
	if (rows.length)
		strbuf_add_bytes(out, rows.text, rows.length);
	strbuf_free(&rows);
	if (f->flavour == COOP_BLOCKS)
		write_block_sites(f, out);
	else
		write_sites(f, out);
}

static void finder_fini(struct finder *f)
{
	for (size_t i = 0; i < f->uses.count; i++) {
		free(f->uses.items[i].seen.name);
		free(f->uses.items[i].seen.mutex);
		free(f->uses.items[i].seen.function);
		free(f->uses.items[i].block);
	}
	for (size_t i = 0; i < f->calls.count; i++) {
		free(f->calls.items[i].from);
		free(f->calls.items[i].to);
	}
	for (size_t i = 0; i < f->reached.count; i++)
		free(f->reached.items[i]);
	vec_free(&f->uses);
	vec_free(&f->calls);
	vec_free(&f->reached);
	vec_free(&f->names);
}

static int find(const char *path, enum coop_flavour flavour, struct strbuf *out, struct err *e)
{
	LLVMContextRef ctx = ir_context_new();
	struct ir_bitcode_file file = {NULL, 0, NULL, 0};
	struct finder f = {.flavour = flavour, .hash = {FS_HASH_START, ~FS_HASH_START}};
	int rc = ir_bitcode_read(&file, path, e);

	for (size_t i = 0; i < file.unit_count && !rc; i++)
		rc = read_unit(&f, ctx, &file.units[i], e);
	if (!rc) {
		reach(&f);
		write_table(&f, out);
	}
	finder_fini(&f);
	ir_bitcode_fini(&file);
	LLVMContextDispose(ctx);
	return rc;
}

int deps_elements(const char *path, struct strbuf *out, struct err *e)
{
	return find(path, COOP_ORDER, out, e);
}

int deps_blocks(const char *path, struct strbuf *out, struct err *e)
{
	return find(path, COOP_BLOCKS, out, e);
}
