/* The canonical form: equal input gives equal points, and a point keeps its number. */
#include <llvm-c/Core.h>
#include <llvm-c/IRReader.h>

#include "ir/canon.h"
#include "ir/module.h"
#include "unit.h"

#define LOCALS                                                                                     \
	"define i32 @f(i32 %x, ptr %g) {\n"                                                        \
	"  %a = alloca i32\n  store i32 %x, ptr %a\n  %v = load i32, ptr %a\n"                     \
	"  %c = icmp eq i32 %v, 3\n  br i1 %c, label %yes, label %no\n"                            \
	"yes:\n  %r = call i32 %g(i32 1)\n  %d = call i32 @f(i32 2, ptr null)\n"                   \
	"  switch i32 %v, label %no [ i32 1, label %yes2\n i32 2, label %no ]\n"                   \
	"yes2:\n  br label %no\n"                                                                  \
	"no:\n  ret i32 %v\n}\n"

static LLVMModuleRef parse(LLVMContextRef ctx, const char *text)
{
	LLVMMemoryBufferRef buffer =
		LLVMCreateMemoryBufferWithMemoryRangeCopy(text, strlen(text), "text");
	LLVMModuleRef mod = NULL;
	char *message = NULL;

	if (LLVMParseIRInContext(ctx, buffer, &mod, &message))
		fail_msg("%s", message);
	return mod;
}

static LLVMModuleRef canonical(LLVMContextRef ctx, const char *text)
{
	LLVMModuleRef mod = parse(ctx, text);
	struct err e = ERR_INIT;

	assert_ok(ir_canon_module(mod, &e), e);
	return mod;
}

static void points_are_numbered_in_order(void **state)
{
	static const enum ir_point_kind kinds[] = {IR_POINT_BRANCH, IR_POINT_CALL, IR_POINT_SWITCH};
	LLVMContextRef ctx = ir_context_new();
	LLVMModuleRef mod = canonical(ctx, LOCALS);
	struct ir_points points;

	ir_canon_points(mod, &points);
	assert_int_equal(points.count, 3);
	for (uint32_t i = 0; i < 3; i++) {
		assert_int_equal(ir_canon_point(points.items[i]), i);
		assert_int_equal(ir_canon_kind(points.items[i]), kinds[i]);
	}
	vec_free(&points);
	LLVMDisposeModule(mod);
	LLVMContextDispose(ctx);
}

static void equal_input_has_equal_hashes(void **state)
{
	LLVMContextRef ctx = ir_context_new();
	LLVMModuleRef a = canonical(ctx, LOCALS), b = canonical(ctx, LOCALS);

	assert_true(ir_canon_hash(a) == ir_canon_hash(b));
	LLVMDisposeModule(a);
	LLVMDisposeModule(b);
	LLVMContextDispose(ctx);
}

static void another_constant_has_another_hash(void **state)
{
	LLVMContextRef ctx = ir_context_new();
	LLVMModuleRef a =
		canonical(ctx, "define i32 @f(i32 %x) {\n %c = add i32 %x, 1\n ret i32 %c\n}");
	LLVMModuleRef b =
		canonical(ctx, "define i32 @f(i32 %x) {\n %c = add i32 %x, 2\n ret i32 %c\n}");

	assert_true(ir_canon_hash(a) != ir_canon_hash(b));
	LLVMDisposeModule(a);
	LLVMDisposeModule(b);
	LLVMContextDispose(ctx);
}

static void an_added_instruction_leaves_the_numbers(void **state)
{
	LLVMContextRef ctx = ir_context_new();
	LLVMModuleRef mod = canonical(ctx, LOCALS);
	LLVMBuilderRef build = LLVMCreateBuilderInContext(ctx);
	struct ir_points points;
	LLVMValueRef call;

	ir_canon_points(mod, &points);
	LLVMPositionBuilderBefore(build, points.items[0]);
	call = LLVMBuildAlloca(build, LLVMInt32TypeInContext(ctx), "more");
	assert_int_equal(ir_canon_point(call), IR_CANON_NONE);
	assert_int_equal(ir_canon_point(points.items[2]), 2);
	vec_free(&points);
	LLVMDisposeBuilder(build);
	LLVMDisposeModule(mod);
	LLVMContextDispose(ctx);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(points_are_numbered_in_order),
		cmocka_unit_test(equal_input_has_equal_hashes),
		cmocka_unit_test(another_constant_has_another_hash),
		cmocka_unit_test(an_added_instruction_leaves_the_numbers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
