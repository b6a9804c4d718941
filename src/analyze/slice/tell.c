/* Slices in words: the line they begin at, the places they have. */
#include <stdlib.h>
#include <string.h>

#include <llvm-c/Core.h>

#include "analyze/slice/priv.h"
#include "analyze/words.h"
#include "base/mem.h"
#include "ir/debug.h"

/* ---- the target ---- */

static bool same_file(const struct finding_place *p, const char *file, size_t bytes)
{
	size_t n = p->file ? strlen(p->file) : 0;

	return n >= bytes && !memcmp(p->file + n - bytes, file, bytes) &&
	       (n == bytes || p->file[n - bytes - 1] == '/');
}

static void place_fini(struct finding_place *p)
{
	free(p->file);
	free(p->function);
	free(p->name);
}

static bool is_code(LLVMValueRef i)
{
	LLVMValueRef callee = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
	size_t bytes;

	return !callee || !LLVMIsAFunction(callee) ||
	       (strncmp(LLVMGetValueName2(callee, &bytes), "llvm.dbg", 8) &&
		strncmp(LLVMGetValueName2(callee, &bytes), "llvm.lifetime", 13));
}

typedef void (*each_fn)(struct slice *l, uint32_t body, LLVMValueRef at, void *arg);

static void each_instruction(struct slice *l, each_fn visit, void *arg)
{
	for (uint32_t b = 0; b < l->w->bodies.count; b++) {
		const struct code *c = &l->w->codes.items[l->w->bodies.items[b].code];

		for (size_t k = 0; k < c->cfg.blocks.count && l->f->entry[b].reached; k++)
			for (LLVMValueRef i = LLVMGetFirstInstruction(c->cfg.blocks.items[k]); i;
			     i = LLVMGetNextInstruction(i))
				if (is_code(i))
					visit(l, b, i, arg);
	}
}

struct target {
	const char *file;
	size_t bytes;
	uint64_t line;
	bool there;
};

static void mark_target(struct slice *l, uint32_t body, LLVMValueRef at, void *arg)
{
	struct target *t = arg;
	struct ir_location where;
	struct finding_place p;

	if (!ir_debug_location(at, &where) || where.line != t->line)
		return;
	p = words_place(l->w, at);
	if (same_file(&p, t->file, t->bytes)) {
		t->there = true;
		slice_mark(l, body, at, SLICE_RUNS | SLICE_VALUE | SLICE_TARGET);
	}
	place_fini(&p);
}

bool slice_tell_begin(struct slice *l, const char *target)
{
	const char *colon = strrchr(target, ':');
	struct target t = {target, colon ? (size_t)(colon - target) : 0,
			   colon ? strtoull(colon + 1, NULL, 10) : 0, false};

	each_instruction(l, mark_target, &t);
	return t.there;
}

/* ---- what is told ---- */

struct row {
	LLVMValueRef at;
	unsigned rank; /* of words */
	bool in;
	struct ir_location where;
};

static const char *const words[] = {"the line", "decides", "writes", "calls", "computes"};

static unsigned rank_of(LLVMValueRef at, unsigned marks)
{
	if (marks & SLICE_TARGET)
		return 0;
	if (LLVMIsATerminatorInst(at) && !LLVMIsAInvokeInst(at))
		return 1;
	if (LLVMIsAStoreInst(at) || LLVMIsAAtomicRMWInst(at) || LLVMIsAAtomicCmpXchgInst(at))
		return 2;
	return LLVMIsACallInst(at) || LLVMIsAInvokeInst(at) ? 3 : 4;
}

struct rows {
	VEC_FIELDS(struct row);
};

/* Ends of blocks that only go on, and returns, stand for no decision. */
static bool is_shown(LLVMValueRef at)
{
	return !LLVMIsATerminatorInst(at) || LLVMIsAInvokeInst(at) || LLVMIsASwitchInst(at) ||
	       (LLVMIsABranchInst(at) && LLVMIsConditional(at)) ||
	       (LLVMIsAReturnInst(at) && LLVMGetNumOperands(at));
}

static void add_row(struct slice *l, uint32_t body, LLVMValueRef at, void *arg)
{
	struct rows *rows = arg;
	struct row r = {.at = at};
	uintptr_t marks = 0;

	if (!is_shown(at) || !ir_debug_location(at, &r.where) || !r.where.line)
		return;
	(void)ptrmap_get(&l->marks[body], at, &marks);
	r.in = marks != 0;
	r.rank = r.in ? rank_of(at, (unsigned)marks) : 4;
	vec_push(rows, r);
}

static int by_file(const struct row *x, const struct row *y)
{
	size_t n = x->where.file_bytes < y->where.file_bytes ? x->where.file_bytes
							     : y->where.file_bytes;
	int c = memcmp(x->where.file, y->where.file, n);

	if (c)
		return c;
	return (x->where.file_bytes > y->where.file_bytes) -
	       (x->where.file_bytes < y->where.file_bytes);
}

/* By place; on a line what matters most comes first. */
static int by_place(const void *a, const void *b)
{
	const struct row *x = a, *y = b;
	int c = by_file(x, y);

	if (c)
		return c;
	if (x->where.line != y->where.line)
		return x->where.line < y->where.line ? -1 : 1;
	if (x->in != y->in)
		return x->in ? -1 : 1;
	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	return (x->where.column > y->where.column) - (x->where.column < y->where.column);
}

void slice_tell(struct slice *l, struct analysis *to)
{
	struct rows rows = {0};
	struct ptrmap seen = PTRMAP_INIT, taken = PTRMAP_INIT;

	each_instruction(l, add_row, &rows);
	qsort(rows.items, rows.count, sizeof(*rows.items), by_place);
	for (size_t i = 0; i < rows.count; i++) {
		const struct row *r = &rows.items[i];
		bool decides = LLVMIsABranchInst(r->at) || LLVMIsASwitchInst(r->at);

		to->branches_all += decides && ptrmap_add(&seen, r->at);
		to->slice_branches += decides && r->in && ptrmap_add(&taken, r->at);
		if (i && !by_file(r, r - 1) && r->where.line == r[-1].where.line)
			continue;
		to->slice_all++;
		if (r->in)
			vec_push(&to->slice, ((struct analysis_line){words_place(l->w, r->at),
								     xstrdup(words[r->rank])}));
	}
	ptrmap_free(&seen);
	ptrmap_free(&taken);
	vec_free(&rows);
}
