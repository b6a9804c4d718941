#include "instr/record_path.h"

#include <assert.h>
#include <stdlib.h>

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>

#include "instr/branch.h"
#include "instr/record_bit.h"
#include "ir/paths.h"
#include "wire/record_paths.h"

#define MOST_PATHS (UINT64_C(1) << 31) /* of a unit */

struct unit_paths {
	struct unit *u;
	struct record_bits bits;
	VEC(struct ir_paths) functions;
	VEC(uint32_t)
	base; /* by point: number of the first path that begins with it, 0: none does */
	VEC(struct record_path_start) starts;
	VEC(struct record_path_row) rows;
	uint64_t next;	  /* number */
	LLVMValueRef sum; /* local of the function under way */
};

/* ---- numbers ---- */

static LLVMValueRef last_of(const struct ir_paths *p, uint32_t b)
{
	return LLVMGetBasicBlockTerminator(p->blocks.items[b].block);
}

static uint32_t index_of(const struct ir_paths *p, LLVMBasicBlockRef block)
{
	uint32_t i = 0;

	(void)cfg_index(&p->cfg, block, &i);
	return i;
}

static bool is_own_path(LLVMValueRef last)
{
	enum ir_point_kind kind = ir_canon_kind(last);

	return LLVMIsATerminatorInst(last) && kind != IR_POINT_NONE && kind != IR_POINT_CALL &&
	       !ir_paths_adds(last);
}

static void add_start(struct unit_paths *x, uint32_t point, uint64_t paths)
{
	struct record_path_start start = {(uint32_t)x->next, point};

	if (point == IR_PATHS_NO_POINT || x->base.items[point])
		return;
	x->base.items[point] = (uint32_t)x->next;
	vec_push(&x->starts, start);
	x->next += paths;
}

/* Paths begin at every branch that is the first of some: any branch may be. */
static void number_block(struct unit_paths *x, const struct ir_paths *p, uint32_t b)
{
	LLVMValueRef last = last_of(p, b);
	struct record_path_row row = {.next = {IR_PATHS_NO_POINT, IR_PATHS_NO_POINT}};

	if (!ir_paths_adds(last) && !is_own_path(last))
		return;
	row.point = ir_canon_point(last);
	row.ways = LLVMGetNumSuccessors(last);
	row.kind = ir_canon_kind(last) == IR_POINT_BRANCH ? RECORD_WAY_BIT : RECORD_WAY_NUMBER;
	if (ir_paths_adds(last)) {
		row.second = (uint32_t)ir_paths_on(p, b, index_of(p, LLVMGetSuccessor(last, 0)));
		for (unsigned i = 0; i < 2; i++) {
			uint32_t to = index_of(p, LLVMGetSuccessor(last, i));

			if (!ir_paths_ends_on(p, b, to))
				row.next[i] = ir_paths_first_in(p, to);
		}
	}
	vec_push(&x->rows, row);
	add_start(x, row.point, row.second ? p->blocks.items[b].paths : row.ways);
}

static void forget(struct unit_paths *x)
{
	for (size_t i = 0; i < x->functions.count; i++)
		ir_paths_fini(&x->functions.items[i]);
	for (size_t i = 0; i < x->base.count; i++)
		x->base.items[i] = 0;
	vec_clear(&x->functions);
	vec_clear(&x->starts);
	vec_clear(&x->rows);
	x->next = 1;
}

static void number_functions(struct unit_paths *x, uint64_t bound)
{
	forget(x);
	for (LLVMValueRef f = LLVMGetFirstFunction(x->u->mod); f; f = LLVMGetNextFunction(f)) {
		struct ir_paths p;

		if (LLVMIsDeclaration(f) || !record_may_change(f))
			continue;
		ir_paths_init(&p, f, bound);
		for (uint32_t b = 0; b < p.blocks.count; b++)
			number_block(x, &p, b);
		vec_push(&x->functions, p);
	}
}

/* ---- code ---- */

static LLVMValueRef base_value(struct unit_paths *x, uint32_t point)
{
	return unit_i32(x->u, point == IR_PATHS_NO_POINT ? 0 : x->base.items[point]);
}

static void set_sum(struct unit_paths *x, uint32_t point)
{
	LLVMBuildStore(x->u->build, base_value(x, point), x->sum);
}

static LLVMValueRef sum_and(struct unit_paths *x, uint64_t more)
{
	LLVMValueRef sum = LLVMBuildLoad2(x->u->build, x->u->i32, x->sum, "");

	return more ? LLVMBuildAdd(x->u->build, sum, unit_i32(x->u, (uint32_t)more), "") : sum;
}

static void end_path(struct unit_paths *x, uint64_t more)
{
	record_bits_path(&x->bits, sum_and(x, more));
}

/* What happens on the way to a successor. */
static void change_edge(struct unit_paths *x, const struct ir_paths *p, uint32_t b, unsigned way)
{
	LLVMValueRef last = last_of(p, b);
	uint32_t to = index_of(p, LLVMGetSuccessor(last, way));
	bool ends = ir_paths_ends_on(p, b, to), adds = ir_paths_adds(last);
	uint64_t more =
		adds && way == 1 ? ir_paths_on(p, b, index_of(p, LLVMGetSuccessor(last, 0))) : 0;
	LLVMBasicBlockRef edge;

	if (!ends && !more)
		return;
	edge = cfg_split_edge(p->blocks.items[b].block, p->blocks.items[to].block);
	unit_build_before(x->u, LLVMGetBasicBlockTerminator(edge));
	if (!ends) {
		LLVMBuildStore(x->u->build, sum_and(x, more), x->sum);
		return;
	}
	if (LLVMIsABranchInst(last) && !is_own_path(last))
		end_path(x, more);
	set_sum(x, ir_paths_first_in(p, to));
}

/* Successors of a block that have ways of their own; those of a switch once each. */
static void change_edges(struct unit_paths *x, const struct ir_paths *p, uint32_t b)
{
	LLVMValueRef last = last_of(p, b);
	unsigned n = LLVMGetNumSuccessors(last);
	VEC(uint32_t) to = VEC_INIT;
	struct ptrmap done = PTRMAP_INIT;

	if (LLVMIsAIndirectBrInst(last) || LLVMIsACallBrInst(last))
		n = 0;
	if (LLVMIsAInvokeInst(last))
		n = 1; /* the normal one */
	/* A way that was changed leads to a block nobody has numbered; the last way first. */
	for (unsigned i = n; i-- > 0;)
		if (ptrmap_add(&done, LLVMGetSuccessor(last, i)))
			vec_push(&to, i);
	for (size_t i = 0; i < to.count; i++)
		if (cfg_index(&p->cfg, LLVMGetSuccessor(last, to.items[i]), &(uint32_t){0}))
			change_edge(x, p, b, to.items[i]);
	ptrmap_free(&done);
	vec_free(&to);
}

/* The way of a switch, a computed goto, or a branch with one successor. */
static void own_path(struct unit_paths *x, LLVMValueRef last)
{
	LLVMValueRef way;

	end_path(x, 0);
	if (ir_canon_kind(last) == IR_POINT_SWITCH)
		way = branch_switch_direction(x->u, last);
	else if (ir_canon_kind(last) == IR_POINT_GOTO)
		way = record_goto_direction(x->u, last);
	else
		way = LLVMBuildZExt(x->u->build,
				    LLVMBuildNot(x->u->build, LLVMGetCondition(last), ""),
				    x->u->i32, "");
	way = LLVMBuildZExtOrBitCast(x->u->build, way, x->u->i32, "");
	record_bits_path(&x->bits,
			 LLVMBuildAdd(x->u->build, way, base_value(x, ir_canon_point(last)), ""));
}

struct calls {
	VEC_FIELDS(LLVMValueRef);
};

static void change_calls(struct unit_paths *x, const struct ir_paths *p, uint32_t b,
			 const struct calls *calls)
{
	for (size_t i = 0; i < calls->count; i++) {
		LLVMValueRef call = calls->items[i], next = LLVMGetNextInstruction(call);

		unit_build_before(x->u, call);
		if (i == 0)
			end_path(x, 0);
		if (ir_canon_kind(call) == IR_POINT_CALL)
			record_bits_path_target(&x->bits, LLVMGetCalledValue(call));
		if (i + 1 < calls->count || !next || LLVMIsAReturnInst(next))
			continue;
		unit_build_before(x->u, next);
		set_sum(x, p->blocks.items[b].first);
	}
}

static void change_block(struct unit_paths *x, const struct ir_paths *p, uint32_t b)
{
	LLVMBasicBlockRef block = p->blocks.items[b].block;
	LLVMValueRef last = last_of(p, b), first;
	struct calls calls = {NULL, 0, 0};

	for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
		if (ir_paths_is_end(i))
			vec_push(&calls, i);
	if (p->blocks.items[b].cut_in) {
		for (first = LLVMGetFirstInstruction(block);
		     LLVMIsAPHINode(first) || LLVMIsALandingPadInst(first);)
			first = LLVMGetNextInstruction(first);
		unit_build_before(x->u, first);
		set_sum(x, ir_paths_first_in(p, b));
	}
	change_calls(x, p, b, &calls);
	unit_build_before(x->u, last);
	if (is_own_path(last))
		own_path(x, last);
	else if (!calls.count &&
		 (LLVMIsAReturnInst(last) || LLVMIsAResumeInst(last) || LLVMIsACallBrInst(last)))
		end_path(x, 0);
	vec_free(&calls);
	change_edges(x, p, b);
}

static void change_function(struct unit_paths *x, const struct ir_paths *p)
{
	LLVMValueRef function = LLVMGetBasicBlockParent(p->blocks.items[0].block);

	record_bits_enter(&x->bits, function);
	unit_build_before(x->u, LLVMGetFirstInstruction(p->blocks.items[0].block));
	x->sum = LLVMBuildAlloca(x->u->build, x->u->i32, "");
	set_sum(x, ir_paths_first_in(p, 0));
	for (uint32_t b = 0; b < p->blocks.count; b++)
		change_block(x, p, b);
}

/* ---- the unit ---- */

static int by_point(const void *a, const void *b)
{
	const struct record_path_row *x = a, *y = b;

	return x->point < y->point ? -1 : x->point > y->point;
}

static void write_table(struct unit_paths *x, const struct record_choice *c, struct strbuf *out)
{
	struct record_paths head = {.magic = RECORD_PATHS_MAGIC,
				    .unit = record_path_unit(c->head.canon),
				    .starts = (uint32_t)x->starts.count,
				    .rows = (uint32_t)x->rows.count};

	if (x->rows.count)
		qsort(x->rows.items, x->rows.count, sizeof(*x->rows.items), by_point);
	strbuf_add_bytes(out, &head, sizeof(head));
	if (x->starts.count)
		strbuf_add_bytes(out, x->starts.items, x->starts.count * sizeof(*x->starts.items));
	if (x->rows.count)
		strbuf_add_bytes(out, x->rows.items, x->rows.count * sizeof(*x->rows.items));
}

void record_paths(struct unit *u, struct record_choice *c, struct strbuf *out)
{
	struct unit_paths x = {.u = u};
	uint64_t bound = UINT64_C(1) << 24;

	for (uint32_t i = 0; i < c->head.points; i++)
		vec_push(&x.base, 0);
	for (number_functions(&x, bound); x.next > MOST_PATHS && bound > 4; bound /= 4)
		number_functions(&x, bound / 4);
	assert(x.next <= MOST_PATHS);
	record_bits_init(&x.bits, u);
	record_bits_init_paths(&x.bits, record_path_unit(c->head.canon));
	for (size_t i = 0; i < x.functions.count; i++)
		change_function(&x, &x.functions.items[i]);
	write_table(&x, c, out);
	forget(&x);
	vec_free(&x.functions);
	vec_free(&x.base);
	vec_free(&x.starts);
	vec_free(&x.rows);
}
