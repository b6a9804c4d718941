#include "deps/marks.h"

#include <string.h>

#include <llvm-c/Core.h>

#include "base/fs.h"
#include "deps/unknown.h"
#include "instr/again.h"
#include "instr/record.h"
#include "instr/split.h"
#include "ir/bitcode.h"
#include "ir/canon.h"
#include "ir/module.h"

struct marks {
	struct deps_build b;
	struct deps_unknown unknown;
};

static int read_units(struct marks *m, LLVMContextRef ctx, const char *path, struct strbuf *names,
		      struct err *e)
{
	struct ir_bitcode_file file = {NULL, 0, NULL, 0};
	int rc = ir_bitcode_read(&file, path, e);

	for (size_t i = 0; i < file.unit_count && !rc; i++) {
		struct deps_unit u = {.first = 0};

		rc = ir_module_parse(ctx, file.units[i].bytes, file.units[i].count, &u.mod, e);
		if (rc)
			break;
		split_name_globals(u.mod);
		rc = ir_canon_module(u.mod, e);
		vec_push(&m->b.units, u);
		strbuf_add_bytes(names, file.units[i].name, strlen(file.units[i].name) + 1);
	}
	ir_bitcode_fini(&file);
	return rc;
}

/*
 * The linker keeps one of several definitions of an inline function, and others may be inlined
 * already: all of them have the same marks.
 */
static bool is_common(LLVMValueRef f)
{
	LLVMLinkage linkage = LLVMGetLinkage(f);

	return linkage != LLVMInternalLinkage && linkage != LLVMPrivateLinkage &&
	       linkage != LLVMExternalLinkage;
}

struct common_points {
	VEC_FIELDS(LLVMValueRef);
};

static void points_of(LLVMValueRef f, struct common_points *out)
{
	vec_clear(out);
	for (LLVMBasicBlockRef k = LLVMGetFirstBasicBlock(f); k; k = LLVMGetNextBasicBlock(k))
		for (LLVMValueRef i = LLVMGetFirstInstruction(k); i; i = LLVMGetNextInstruction(i))
			if (ir_canon_point(i) != IR_CANON_NONE)
				vec_push(out, i);
}

/* Definitions lie side by side in by_name. */
static void share_marks(struct marks *m, struct ptrmap *marked, size_t from, size_t to)
{
	struct common_points first = {NULL, 0, 0}, other = {NULL, 0, 0};
	bool same = true;

	points_of(m->b.functions.items[m->b.by_name.items[from]].value, &first);
	for (int round = 0; round < 2; round++)
		for (size_t k = from; k < to; k++) {
			points_of(m->b.functions.items[m->b.by_name.items[k]].value, &other);
			same &= other.count == first.count;
			for (size_t i = 0; i < other.count; i++) {
				/* Different code under one name: everything. */
				if (!same || ptrmap_has(marked, other.items[i]) ||
				    ptrmap_has(marked, first.items[i]))
					ptrmap_add(marked, other.items[i]);
				if (same && ptrmap_has(marked, other.items[i]))
					ptrmap_add(marked, first.items[i]);
			}
		}
	vec_free(&first);
	vec_free(&other);
}

static const char *name_at(const struct marks *m, size_t i)
{
	size_t bytes;

	return LLVMGetValueName2(m->b.functions.items[m->b.by_name.items[i]].value, &bytes);
}

static void unite_common(struct marks *m, struct ptrmap *marked)
{
	for (size_t i = 0, k; i < m->b.by_name.count; i = k) {
		for (k = i + 1; k < m->b.by_name.count && !strcmp(name_at(m, i), name_at(m, k));)
			k++;
		if (k > i + 1 && is_common(m->b.functions.items[m->b.by_name.items[i]].value))
			share_marks(m, marked, i, k);
	}
}

static void write_unit(struct marks *m, size_t u, const char *name, const struct ptrmap *marked,
		       struct strbuf *out)
{
	struct record_choice c = {.head = {.magic = RECORD_MARKS_MAGIC, .flags = RECORD_MARKS_WHOLE}};
	LLVMModuleRef mod = m->b.units.items[u].mod;
	struct ir_points points;

	ir_canon_points(mod, &points);
	c.head.canon = ir_canon_hash(mod);
	c.head.unit = (uint32_t)fs_hash(FS_HASH_START, name, strlen(name));
	c.head.points = (uint32_t)points.count;
	for (size_t i = 0; i < points.count; i++) {
		if (i % 64 == 0)
			vec_push(&c.words, 0);
		if (ptrmap_has(marked, points.items[i]))
			vec_last(&c.words) |= UINT64_C(1) << (i % 64);
	}
	c.head.words = (uint32_t)c.words.count;
	strbuf_add_bytes(out, &c.head, sizeof(c.head));
	if (c.words.count)
		strbuf_add_bytes(out, c.words.items, c.words.count * sizeof(*c.words.items));
	vec_free(&c.words);
	vec_free(&points);
}

static void mark(struct marks *m, struct ptrmap *marked)
{
	for (size_t u = 0; u < m->b.units.count; u++) {
		struct ir_points points;

		ir_canon_points(m->b.units.items[u].mod, &points);
		for (size_t i = 0; i < points.count; i++)
			if (deps_unknown_is(&m->unknown, record_condition(points.items[i])))
				ptrmap_add(marked, points.items[i]);
		vec_free(&points);
	}
	unite_common(m, marked);
}

int deps_marks(const char *path, struct strbuf *out, struct err *e)
{
	LLVMContextRef ctx = ir_context_new();
	struct marks m = {.b = {.places = VEC_INIT}};
	struct ptrmap marked = PTRMAP_INIT;
	struct strbuf names = STRBUF_INIT;
	const char *name;
	int rc;

	deps_points_init(&m.b.points);
	rc = read_units(&m, ctx, path, &names, e);
	if (!rc) {
		deps_build_functions(&m.b);
		deps_calls_resolve(&m.b);
		deps_unknown_init(&m.unknown, &m.b);
		mark(&m, &marked);
		name = names.text;
		for (size_t u = 0; u < m.b.units.count; u++, name += strlen(name) + 1)
			write_unit(&m, u, name, &marked, out);
		deps_unknown_fini(&m.unknown);
	}
	deps_build_fini(&m.b);
	ptrmap_free(&marked);
	strbuf_free(&names);
	LLVMContextDispose(ctx);
	return rc;
}

/* ---- points of the check flavour ---- */

/* The terminator behind a hook, when it is a point whose way the hook tells. */
static LLVMValueRef point_behind(LLVMValueRef hook)
{
	LLVMValueRef last = LLVMGetBasicBlockTerminator(LLVMGetInstructionParent(hook));

	return last && ir_canon_point(last) != IR_CANON_NONE &&
			       ir_canon_kind(last) != IR_POINT_GOTO
		       ? last
		       : NULL;
}

struct point_table {
	VEC(struct record_point) sites;
	struct record_choice c;
};

static void add_hook(struct point_table *t, LLVMValueRef call)
{
	const char *name = LLVMIsACallInst(call) ? instr_again_hook(call) : NULL;
	LLVMValueRef point = name && !strcmp(name, "branch") ? point_behind(call) : NULL;
	uint32_t site, number;

	if (!point)
		return;
	site = instr_again_site(call);
	number = ir_canon_point(point);
	if (site >= t->sites.count || number / 64 >= t->c.words.count)
		return;
	t->sites.items[site].point = number;
	if (ir_canon_kind(point) == IR_POINT_SWITCH)
		t->sites.items[site].successors = LLVMGetNumSuccessors(point);
	t->c.words.items[number / 64] |= UINT64_C(1) << (number % 64);
}

static void find_points(struct point_table *t, const struct instr_again *again)
{
	static const struct record_point none = {RECORD_NO_POINT, 0};
	struct ir_points points;

	ir_canon_points(again->mod, &points);
	t->c.head.points = (uint32_t)points.count;
	for (size_t i = 0; i < points.count; i += 64)
		vec_push(&t->c.words, 0);
	for (uint32_t i = 0; i < again->sites; i++)
		vec_push(&t->sites, none);
	for (LLVMValueRef f = LLVMGetFirstFunction(again->mod); f; f = LLVMGetNextFunction(f))
		for (LLVMBasicBlockRef k = LLVMGetFirstBasicBlock(f); k; k = LLVMGetNextBasicBlock(k))
			for (LLVMValueRef i = LLVMGetFirstInstruction(k); i;
			     i = LLVMGetNextInstruction(i))
				add_hook(t, i);
	vec_free(&points);
}

static int points_of_unit(LLVMContextRef ctx, const struct ir_bitcode_unit *u, struct strbuf *out,
			  struct err *e)
{
	struct point_table t = {.c = {.head = {.magic = RECORD_MARKS_MAGIC}}};
	struct instr_again again = {.mod = NULL};
	uint32_t sites;
	int rc = instr_again(ctx, u->bytes, u->count, instr_flavor_find(INSTR_FLAVOR_DEFAULT), &again,
			     e);

	if (rc)
		return rc;
	t.c.head.canon = again.hash;
	find_points(&t, &again);
	t.c.head.unit = (uint32_t)fs_hash(FS_HASH_START, u->name, strlen(u->name));
	t.c.head.words = (uint32_t)t.c.words.count;
	sites = (uint32_t)t.sites.count;
	strbuf_add_bytes(out, &t.c.head, sizeof(t.c.head));
	if (t.c.words.count)
		strbuf_add_bytes(out, t.c.words.items, t.c.words.count * 8);
	strbuf_add_bytes(out, &sites, sizeof(sites));
	if (sites)
		strbuf_add_bytes(out, t.sites.items, sites * sizeof(*t.sites.items));
	vec_free(&t.sites);
	vec_free(&t.c.words);
	LLVMDisposeModule(again.mod);
	return 0;
}

int deps_marks_points(const char *path, struct strbuf *out, struct err *e)
{
	LLVMContextRef ctx = ir_context_new();
	struct ir_bitcode_file f = {NULL, 0, NULL, 0};
	int rc = ir_bitcode_read(&f, path, e);

	for (size_t i = 0; i < f.unit_count && !rc; i++)
		rc = points_of_unit(ctx, &f.units[i], out, e);
	ir_bitcode_fini(&f);
	LLVMContextDispose(ctx);
	return rc;
}
