#include "instr/emit.h"

#include <string.h>

#include <llvm-c/Comdat.h>
#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>

#include "base/fs.h"
#include "instr/body.h"
#include "instr/site.h"
#include "ir/debug.h"
#include "wire/site.h"

#define REGISTER "heddle.register"
#define REGISTER_RECORD "heddle.record.register"
#define REGISTER_PRIORITY 101

struct globals {
	VEC(LLVMValueRef) all;
};

/* Appends to llvm.used, llvm.compiler.used or llvm.global_ctors, which hold one array each. */
static void append(struct unit *u, const char *list, const char *section,
		   const struct globals *more)
{
	LLVMValueRef old = LLVMGetNamedGlobal(u->mod, list), fresh;
	struct globals items = {VEC_INIT};
	LLVMTypeRef type;

	if (!more->all.count)
		return;
	type = LLVMTypeOf(more->all.items[0]);
	if (old) {
		LLVMValueRef array = LLVMGetInitializer(old);
		unsigned n = (unsigned)LLVMGetArrayLength2(LLVMTypeOf(array));

		for (unsigned i = 0; i < n; i++)
			vec_push(&items.all, LLVMGetAggregateElement(array, i));
		LLVMDeleteGlobal(old);
	}
	for (size_t i = 0; i < more->all.count; i++)
		vec_push(&items.all, more->all.items[i]);
	fresh = LLVMAddGlobal(u->mod, LLVMArrayType2(type, items.all.count), list);
	LLVMSetInitializer(fresh, LLVMConstArray2(type, items.all.items, items.all.count));
	LLVMSetLinkage(fresh, LLVMAppendingLinkage);
	if (section)
		LLVMSetSection(fresh, section);
	vec_free(&items.all);
}

static void append_one(struct unit *u, const char *list, const char *section, LLVMValueRef item)
{
	struct globals one = {VEC_INIT};

	vec_push(&one.all, item);
	append(u, list, section, &one);
	vec_free(&one.all);
}

/* Kept by the linker whatever else is dropped. */
static void retain(struct unit *u, LLVMValueRef global)
{
	append_one(u, "llvm.used", "llvm.metadata", global);
}

/* Both bodies have the same description; what stands for the function may have none. */
static char *function_name(struct unit *u, const struct split_pair *p)
{
	LLVMMetadataRef sub = LLVMGetSubprogram(p->active);
	struct strbuf name = STRBUF_INIT;
	size_t bytes;

	if (sub)
		ir_debug_subprogram_name(u->ctx, sub, &name);
	if (!name.length)
		strbuf_add(&name, LLVMGetValueName2(p->function, &bytes));
	return strbuf_take(&name);
}

struct function_row {
	LLVMValueRef function;
	uint32_t name; /* offset of its text */
	uint32_t flags;
};

struct function_rows {
	VEC(struct function_row) all;
};

/*
 * One global per function, tied to the function: when the linker drops the function (an inline
 * function another unit has too, or with --gc-sections), the row goes with it.
 */
static LLVMValueRef emit_function(struct unit *u, const struct function_row *row,
				  LLVMValueRef strings)
{
	LLVMTypeRef fields[] = {u->ptr, u->i32, u->i32};
	LLVMTypeRef type = LLVMStructTypeInContext(u->ctx, fields, 3, 0);
	LLVMValueRef global = LLVMAddGlobal(u->mod, type, "heddle.func");
	LLVMMetadataRef owner = LLVMValueAsMetadata(row->function);
	LLVMComdatRef comdat = LLVMGetComdat(row->function);
	LLVMValueRef values[] = {row->function, site_distance(u, strings, row->name, global),
				 unit_i32(u, row->flags)};

	LLVMSetInitializer(global, LLVMConstStructInContext(u->ctx, values, 3, 0));
	LLVMSetLinkage(global, LLVMInternalLinkage);
	LLVMSetSection(global, HEDDLE_FUNCS_SECTION);
	LLVMSetAlignment(global, 8);
	if (comdat)
		LLVMSetComdat(global, comdat);
	LLVMGlobalSetMetadata(global, LLVMGetMDKindIDInContext(u->ctx, "associated", 10),
			      LLVMMDNodeInContext2(u->ctx, &owner, 1));
	return global;
}

static void emit_rows(struct unit *u, const struct function_rows *rows, LLVMValueRef strings)
{
	struct globals table = {VEC_INIT};

	for (size_t i = 0; i < rows->all.count; i++)
		vec_push(&table.all, emit_function(u, &rows->all.items[i], strings));
	append(u, "llvm.compiler.used", "llvm.metadata", &table);
	vec_free(&table.all);
}

static LLVMValueRef boundary(struct unit *u, const char *name)
{
	LLVMValueRef symbol = LLVMAddGlobal(u->mod, u->i8, name);

	LLVMSetLinkage(symbol, LLVMExternalWeakLinkage);
	LLVMSetVisibility(symbol, LLVMHiddenVisibility);
	return symbol;
}

static LLVMValueRef declare_register_hook(struct unit *u, LLVMTypeRef *type)
{
	LLVMTypeRef params[] = {u->ptr, u->ptr, u->ptr, u->ptr};
	LLVMValueRef hook = LLVMGetNamedFunction(u->mod, "heddle_hook_module");

	*type = LLVMFunctionType(u->none, params, 4, 0);
	return hook ? hook : LLVMAddFunction(u->mod, "heddle_hook_module", *type);
}

static void register_body(struct unit *u, LLVMValueRef function)
{
	LLVMBasicBlockRef entry = LLVMAppendBasicBlockInContext(u->ctx, function, "");
	LLVMBasicBlockRef call = LLVMAppendBasicBlockInContext(u->ctx, function, "");
	LLVMBasicBlockRef done = LLVMAppendBasicBlockInContext(u->ctx, function, "");
	LLVMValueRef flag = LLVMGetNamedGlobal(u->mod, "heddle_active");
	LLVMTypeRef type;
	LLVMValueRef hook = declare_register_hook(u, &type);
	LLVMValueRef args[] = {
		boundary(u, "__start_" HEDDLE_SITES_SECTION),
		boundary(u, "__stop_" HEDDLE_SITES_SECTION),
		boundary(u, "__start_" HEDDLE_FUNCS_SECTION),
		boundary(u, "__stop_" HEDDLE_FUNCS_SECTION),
	};

	if (!flag)
		flag = LLVMAddGlobal(u->mod, u->i32, "heddle_active");
	LLVMSetCurrentDebugLocation2(u->build, NULL);
	LLVMPositionBuilderAtEnd(u->build, entry);
	flag = LLVMBuildLoad2(u->build, u->i32, flag, "");
	flag = LLVMBuildICmp(u->build, LLVMIntNE, flag, unit_i32(u, 0), "");
	LLVMBuildCondBr(u->build, flag, call, done);
	LLVMPositionBuilderAtEnd(u->build, call);
	LLVMBuildCall2(u->build, type, hook, args, 4, "");
	LLVMBuildBr(u->build, done);
	LLVMPositionBuilderAtEnd(u->build, done);
	LLVMBuildRetVoid(u->build);
}

/* All units of a module have the same constructor; the linker keeps one. */
static void emit_constructor(struct unit *u, const char *name,
			     void (*body)(struct unit *u, LLVMValueRef function))
{
	LLVMTypeRef type = LLVMFunctionType(u->none, NULL, 0, 0);
	LLVMValueRef function = LLVMAddFunction(u->mod, name, type);
	LLVMValueRef entry[3] = {unit_i32(u, REGISTER_PRIORITY), function, function};

	body(u, function);
	LLVMSetLinkage(function, LLVMLinkOnceODRLinkage);
	LLVMSetVisibility(function, LLVMHiddenVisibility);
	LLVMSetComdat(function, LLVMGetOrInsertComdat(u->mod, name));
	append_one(u, "llvm.global_ctors", NULL, LLVMConstStructInContext(u->ctx, entry, 3, 0));
}

/*
 * Who is called by address must be found in the table.  A function that is only called directly may
 * be inlined and dropped, and a row would keep it.  Nobody has the address of an active body.
 */
static bool needs_row(LLVMValueRef function)
{
	switch (LLVMGetLinkage(function)) {
	case LLVMAvailableExternallyLinkage:
		return false;
	case LLVMInternalLinkage:
	case LLVMPrivateLinkage:
	case LLVMLinkOnceODRLinkage:
		return !body_only_called(function);
	default:
		return true;
	}
}

static void add_rows(struct unit *u, const struct split *s, struct function_rows *rows)
{
	for (size_t i = 0; i < s->pairs.count; i++) {
		struct function_row row = {s->pairs.items[i].function, 0, 0};
		char *name;

		if (!needs_row(row.function))
			continue;
		name = function_name(u, &s->pairs.items[i]);
		row.name = site_text(u, name, strlen(name));
		vec_push(&rows->all, row);
		free(name);
	}
}

void emit_tables(struct unit *u, const struct split *s, const char *source)
{
	struct function_rows rows = {VEC_INIT};
	LLVMValueRef strings;

	add_rows(u, s, &rows);
	strings = site_emit(u, source);
	retain(u, strings);
	if (u->site_base)
		retain(u, u->site_base);
	emit_rows(u, &rows, strings);
	vec_free(&rows.all);
	emit_constructor(u, REGISTER, register_body);
}

static void record_body(struct unit *u, LLVMValueRef function)
{
	LLVMTypeRef params[] = {u->ptr, u->ptr};
	LLVMTypeRef type = LLVMFunctionType(u->none, params, 2, 0);
	LLVMValueRef hook = LLVMAddFunction(u->mod, "heddle_record_module", type);
	LLVMValueRef args[] = {boundary(u, "__start_" HEDDLE_FUNCS_SECTION),
			       boundary(u, "__stop_" HEDDLE_FUNCS_SECTION)};

	LLVMSetCurrentDebugLocation2(u->build, NULL);
	LLVMPositionBuilderAtEnd(u->build, LLVMAppendBasicBlockInContext(u->ctx, function, ""));
	LLVMBuildCall2(u->build, type, hook, args, 2, "");
	LLVMBuildRetVoid(u->build);
}

void emit_section(struct unit *u, const char *section, const char *bytes, size_t n)
{
	LLVMValueRef text = LLVMConstStringInContext2(u->ctx, bytes, n, 1);
	LLVMValueRef global = LLVMAddGlobal(u->mod, LLVMTypeOf(text), "heddle.table");

	LLVMSetInitializer(global, text);
	LLVMSetGlobalConstant(global, 1);
	LLVMSetLinkage(global, LLVMInternalLinkage);
	LLVMSetSection(global, section);
	LLVMSetAlignment(global, 8);
	retain(u, global);
}

static void emit_marks(struct unit *u, const struct record_marks *marks, const uint64_t *words)
{
	struct strbuf out = STRBUF_INIT;

	strbuf_add_bytes(&out, marks, sizeof(*marks));
	if (marks->words)
		strbuf_add_bytes(&out, words, marks->words * sizeof(*words));
	emit_section(u, HEDDLE_MARKS_SECTION, out.text, out.length);
	strbuf_free(&out);
}

void emit_record(struct unit *u, const struct record_marks *marks, const uint64_t *words,
		 const char *source)
{
	struct function_rows rows = {VEC_INIT};
	LLVMValueRef strings;

	for (LLVMValueRef f = LLVMGetFirstFunction(u->mod); f; f = LLVMGetNextFunction(f)) {
		struct function_row row = {f, 0, marks->unit};
		const char *name;
		size_t bytes;

		if (LLVMIsDeclaration(f) || !needs_row(f))
			continue;
		name = LLVMGetValueName2(f, &bytes);
		row.name = site_text(u, name, bytes);
		vec_push(&rows.all, row);
	}
	strings = site_emit(u, source);
	retain(u, strings);
	emit_rows(u, &rows, strings);
	vec_free(&rows.all);
	emit_marks(u, marks, words);
	emit_constructor(u, REGISTER_RECORD, record_body);
}

void emit_bitcode(struct unit *u, const struct emit_bitcode *bitcode)
{
	struct heddle_bitcode_frame frame = {.magic = HEDDLE_BITCODE_MAGIC};
	struct strbuf out = STRBUF_INIT;
	LLVMValueRef text, global;

	frame.bytes = bitcode->count;
	frame.name_bytes = (uint32_t)strlen(bitcode->source) + 1;
	for (const char *const *a = bitcode->args; a && *a; a++)
		frame.args_bytes += (uint32_t)strlen(*a) + 1;
	frame.checksum = fs_hash(FS_HASH_START, bitcode->bytes, bitcode->count);
	strbuf_add_bytes(&out, &frame, sizeof(frame));
	strbuf_add_bytes(&out, bitcode->source, frame.name_bytes);
	for (const char *const *a = bitcode->args; a && *a; a++)
		strbuf_add_bytes(&out, *a, strlen(*a) + 1);
	strbuf_add_bytes(&out, bitcode->bytes, bitcode->count);
	while (out.length % 8)
		strbuf_add_char(&out, 0);
	text = LLVMConstStringInContext2(u->ctx, out.text, out.length, 1);
	global = LLVMAddGlobal(u->mod, LLVMTypeOf(text), "heddle.bitcode");
	LLVMSetInitializer(global, text);
	LLVMSetGlobalConstant(global, 1);
	LLVMSetLinkage(global, LLVMInternalLinkage);
	LLVMSetSection(global, HEDDLE_BITCODE_SECTION);
	LLVMSetAlignment(global, 8);
	retain(u, global);
	strbuf_free(&out);
}
