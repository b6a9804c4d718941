#include "instr/split.h"

#include <stdio.h>
#include <string.h>

#include <llvm-c/Comdat.h>
#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>

#include "ir/module.h"

#define ACTIVE_SUFFIX ".heddle"

static bool has_attribute(LLVMValueRef function, const char *name)
{
	unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));

	return LLVMGetEnumAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
					   kind) != NULL;
}

static bool is_resolver(LLVMValueRef function)
{
	LLVMModuleRef mod = LLVMGetGlobalParent(function);

	for (LLVMValueRef f = LLVMGetFirstGlobalIFunc(mod); f; f = LLVMGetNextGlobalIFunc(f))
		if (LLVMGetGlobalIFuncResolver(f) == function)
			return true;
	return false;
}

bool split_wanted(LLVMValueRef function)
{
	return !LLVMIsDeclaration(function) && !has_attribute(function, "naked") &&
	       !has_attribute(function, "presplitcoroutine") &&
	       !has_attribute(function, "disable_sanitizer_instrumentation") &&
	       !is_resolver(function);
}

static void name_if_nameless(LLVMValueRef global, unsigned *counter)
{
	char name[40];
	size_t bytes;

	LLVMGetValueName2(global, &bytes);
	if (bytes)
		return;
	snprintf(name, sizeof(name), "heddle.anon.%u", (*counter)++);
	LLVMSetValueName2(global, name, strlen(name));
}

void split_name_globals(LLVMModuleRef mod)
{
	unsigned counter = 0;

	for (LLVMValueRef g = LLVMGetFirstGlobal(mod); g; g = LLVMGetNextGlobal(g))
		name_if_nameless(g, &counter);
	for (LLVMValueRef f = LLVMGetFirstFunction(mod); f; f = LLVMGetNextFunction(f))
		name_if_nameless(f, &counter);
	for (LLVMValueRef a = LLVMGetFirstGlobalAlias(mod); a; a = LLVMGetNextGlobalAlias(a))
		name_if_nameless(a, &counter);
}

static char *name_of(LLVMValueRef global)
{
	size_t bytes;
	const char *name = LLVMGetValueName2(global, &bytes);

	return xstrndup(name, bytes);
}

static void copy_attributes(LLVMValueRef from, LLVMValueRef to)
{
	unsigned params = LLVMCountParams(from);

	for (unsigned i = 0; i <= params + 1; i++) {
		LLVMAttributeIndex at =
			i > params ? (LLVMAttributeIndex)LLVMAttributeFunctionIndex : i;
		unsigned n = LLVMGetAttributeCountAtIndex(from, at);
		LLVMAttributeRef *list = xcalloc(n + 1, sizeof(LLVMAttributeRef));

		LLVMGetAttributesAtIndex(from, at, list);
		for (unsigned k = 0; k < n; k++)
			LLVMAddAttributeAtIndex(to, at, list[k]);
		free(list);
	}
}

/*
 * The guest works behind every access, so nothing may be concluded from what the user's code alone
 * does to memory.
 */
static const char *const promises[] = {"memory",       "willreturn", "nosync",	    "nofree",
				       "speculatable", "norecurse",  "mustprogress"};

static void drop_promises(LLVMValueRef function)
{
	for (size_t i = 0; i < sizeof(promises) / sizeof(promises[0]); i++)
		LLVMRemoveEnumAttributeAtIndex(
			function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
			LLVMGetEnumAttributeKindForName(promises[i], strlen(promises[i])));
}

static void drop_call_promises(LLVMValueRef call)
{
	for (size_t i = 0; i < sizeof(promises) / sizeof(promises[0]); i++)
		LLVMRemoveCallSiteEnumAttribute(
			call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
			LLVMGetEnumAttributeKindForName(promises[i], strlen(promises[i])));
}

static LLVMValueRef declare_like(LLVMModuleRef mod, LLVMValueRef function, const char *name)
{
	LLVMValueRef decl = LLVMAddFunction(mod, name, LLVMGlobalGetValueType(function));

	LLVMSetFunctionCallConv(decl, LLVMGetFunctionCallConv(function));
	copy_attributes(function, decl);
	drop_promises(decl);
	return decl;
}

static bool is_interposable(LLVMLinkage linkage)
{
	return linkage == LLVMWeakAnyLinkage || linkage == LLVMLinkOnceAnyLinkage ||
	       linkage == LLVMExternalWeakLinkage;
}

static bool is_call(LLVMValueRef i)
{
	return LLVMIsACallInst(i) || LLVMIsAInvokeInst(i) || LLVMIsACallBrInst(i);
}

/* A label's address names the very function it is in; such a function keeps those uses. */
static bool has_label_address(LLVMValueRef function)
{
	for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use))
		if (LLVMIsABlockAddress(LLVMGetUser(use)))
			return true;
	return false;
}

static void replace_operands(LLVMModuleRef mod, LLVMValueRef from, LLVMValueRef to)
{
	for (LLVMValueRef f = LLVMGetFirstFunction(mod); f; f = LLVMGetNextFunction(f))
		for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b;
		     b = LLVMGetNextBasicBlock(b))
			for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;
			     i = LLVMGetNextInstruction(i))
				for (int k = 0; k < LLVMGetNumOperands(i); k++)
					if (LLVMGetOperand(i, (unsigned)k) == from)
						LLVMSetOperand(i, (unsigned)k, to);
}

static void redirect_uses(LLVMModuleRef mod, LLVMValueRef from, LLVMValueRef to)
{
	if (has_label_address(from))
		replace_operands(mod, from, to);
	else
		LLVMReplaceAllUsesWith(from, to);
}

/* Direct calls of the declaration go to the active body instead. */
static void call_active(LLVMValueRef decl, LLVMValueRef active)
{
	LLVMUseRef use = LLVMGetFirstUse(decl);

	while (use) {
		LLVMValueRef user = LLVMGetUser(use);

		use = LLVMGetNextUse(use);
		if (!LLVMIsAInstruction(user) || !is_call(user) || LLVMGetCalledValue(user) != decl)
			continue;
		LLVMSetOperand(user, (unsigned)LLVMGetNumOperands(user) - 1, active);
		drop_call_promises(user);
	}
}

static void detach_function(struct split *s, LLVMModuleRef mod, LLVMValueRef function)
{
	char *name = name_of(function), *active = xasprintf("%s%s", name, ACTIVE_SUFFIX);
	LLVMLinkage linkage = LLVMGetLinkage(function);
	bool wanted = split_wanted(function);
	LLVMValueRef decl;

	LLVMSetValueName2(function, active, strlen(active));
	decl = declare_like(mod, function, name);
	redirect_uses(mod, function, decl);
	if (wanted) {
		if (!is_interposable(linkage))
			call_active(decl, function);
		drop_promises(function);
		LLVMSetComdat(function, NULL);
		LLVMSetLinkage(function, LLVMExternalLinkage);
		LLVMSetVisibility(function, LLVMDefaultVisibility);
		vec_push(&s->names, name);
	} else {
		LLVMDeleteFunction(function);
		free(name);
	}
	free(active);
}

static bool holds_label_address(LLVMValueRef constant, int depth)
{
	if (LLVMIsABlockAddress(constant))
		return true;
	if (depth > 8 || LLVMIsAGlobalValue(constant))
		return false;
	for (int i = 0; i < LLVMGetNumOperands(constant); i++)
		if (holds_label_address(LLVMGetOperand(constant, (unsigned)i), depth + 1))
			return true;
	return false;
}

/* A table of labels belongs to the body its labels are in: the active module keeps its own. */
static bool stays_here(LLVMValueRef global)
{
	LLVMLinkage linkage = LLVMGetLinkage(global);

	return (linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage) &&
	       holds_label_address(LLVMGetInitializer(global), 0);
}

static void detach_global(LLVMValueRef global)
{
	char *name, *own;

	if (LLVMGetLinkage(global) == LLVMAppendingLinkage) {
		LLVMDeleteGlobal(global);
		return;
	}
	if (!LLVMGetInitializer(global))
		return;
	if (stays_here(global)) {
		name = name_of(global);
		own = xasprintf("%s%s", name, ACTIVE_SUFFIX);
		LLVMSetValueName2(global, own, strlen(own));
		free(own);
		free(name);
		return;
	}
	LLVMSetInitializer(global, NULL);
	LLVMSetComdat(global, NULL);
	LLVMSetLinkage(global, LLVMExternalLinkage);
}

/* An alias is replaced by a declaration of its name; what is left of it is not used by anybody. */
static void detach_alias(LLVMModuleRef mod, LLVMValueRef alias)
{
	char *name = name_of(alias), *own = xasprintf("%s%s", name, ACTIVE_SUFFIX);
	LLVMTypeRef type = LLVMGlobalGetValueType(alias);
	LLVMValueRef decl;

	LLVMSetValueName2(alias, own, strlen(own));
	decl = LLVMGetTypeKind(type) == LLVMFunctionTypeKind ? LLVMAddFunction(mod, name, type)
							     : LLVMAddGlobal(mod, type, name);
	LLVMReplaceAllUsesWith(alias, decl);
	LLVMSetLinkage(alias, LLVMInternalLinkage);
	free(own);
	free(name);
}

static void detach_ifunc(LLVMModuleRef mod, LLVMValueRef ifunc)
{
	char *name = name_of(ifunc);
	LLVMValueRef decl;

	LLVMSetValueName2(ifunc, "heddle.gone", 11);
	decl = LLVMAddFunction(mod, name, LLVMGlobalGetValueType(ifunc));
	LLVMReplaceAllUsesWith(ifunc, decl);
	LLVMEraseGlobalIFunc(ifunc);
	free(name);
}

static void detach_others(LLVMModuleRef mod)
{
	LLVMValueRef next;

	for (LLVMValueRef g = LLVMGetFirstGlobal(mod); g; g = next) {
		next = LLVMGetNextGlobal(g);
		detach_global(g);
	}
	for (LLVMValueRef a = LLVMGetFirstGlobalAlias(mod); a; a = LLVMGetNextGlobalAlias(a))
		detach_alias(mod, a);
	while ((next = LLVMGetFirstGlobalIFunc(mod)))
		detach_ifunc(mod, next);
}

void split_detach(struct split *s, LLVMModuleRef active)
{
	VEC(LLVMValueRef) functions = VEC_INIT;

	LLVMSetModuleInlineAsm2(active, "", 0);
	detach_others(active);
	for (LLVMValueRef f = LLVMGetFirstFunction(active); f; f = LLVMGetNextFunction(f))
		if (!LLVMIsDeclaration(f))
			vec_push(&functions, f);
	for (size_t i = 0; i < functions.count; i++)
		detach_function(s, active, functions.items[i]);
	vec_free(&functions);
}

/* Linking binds names, so what is local to the unit must be visible while it happens. */
struct hidden {
	LLVMValueRef global;
	LLVMLinkage linkage;
};

struct hidden_list {
	VEC(struct hidden) all;
};

static void expose(struct hidden_list *list, LLVMValueRef global)
{
	struct hidden h = {global, LLVMGetLinkage(global)};

	if (h.linkage != LLVMInternalLinkage && h.linkage != LLVMPrivateLinkage)
		return;
	vec_push(&list->all, h);
	LLVMSetLinkage(global, LLVMExternalLinkage);
}

static void expose_all(struct hidden_list *list, LLVMModuleRef mod)
{
	for (LLVMValueRef g = LLVMGetFirstGlobal(mod); g; g = LLVMGetNextGlobal(g))
		expose(list, g);
	for (LLVMValueRef f = LLVMGetFirstFunction(mod); f; f = LLVMGetNextFunction(f))
		expose(list, f);
	for (LLVMValueRef a = LLVMGetFirstGlobalAlias(mod); a; a = LLVMGetNextGlobalAlias(a))
		expose(list, a);
}

static void hide_again(struct hidden_list *list)
{
	for (size_t i = 0; i < list->all.count; i++)
		LLVMSetLinkage(list->all.items[i].global, list->all.items[i].linkage);
	vec_free(&list->all);
}

static void settle_linkage(LLVMModuleRef mod, const struct split_pair *p)
{
	size_t bytes;

	switch (LLVMGetLinkage(p->function)) {
	case LLVMLinkOnceODRLinkage:
	case LLVMWeakODRLinkage:
		LLVMSetLinkage(p->active, LLVMLinkOnceODRLinkage);
		LLVMSetVisibility(p->active, LLVMHiddenVisibility);
		LLVMSetComdat(p->active,
			      LLVMGetOrInsertComdat(mod, LLVMGetValueName2(p->active, &bytes)));
		break;
	default:
		LLVMSetLinkage(p->active, LLVMInternalLinkage);
	}
}

static LLVMValueRef active_flag(LLVMModuleRef mod, LLVMTypeRef type)
{
	LLVMValueRef flag = LLVMGetNamedGlobal(mod, "heddle_active");

	return flag ? flag : LLVMAddGlobal(mod, type, "heddle_active");
}

static void mark_instruction(LLVMContextRef ctx, LLVMValueRef i, const char *kind,
			     LLVMMetadataRef *operands, size_t n)
{
	LLVMMetadataRef node = LLVMMDNodeInContext2(ctx, operands, n);

	LLVMSetMetadata(i, LLVMGetMDKindIDInContext(ctx, kind, (unsigned)strlen(kind)),
			LLVMMetadataAsValue(ctx, node));
}

static void mark_unlikely(LLVMContextRef ctx, LLVMValueRef branch)
{
	LLVMTypeRef i32 = LLVMInt32TypeInContext(ctx);
	LLVMMetadataRef weights[] = {
		LLVMMDStringInContext2(ctx, "branch_weights", 14),
		LLVMValueAsMetadata(LLVMConstInt(i32, 1, 0)),
		LLVMValueAsMetadata(LLVMConstInt(i32, 1 << 20, 0)),
	};

	mark_instruction(ctx, branch, "prof", weights, 3);
}

static LLVMValueRef forward_call(LLVMBuilderRef b, const struct split_pair *p)
{
	unsigned n = LLVMCountParams(p->function);
	LLVMValueRef *args = xcalloc(n + 1, sizeof(*args)), call;

	LLVMGetParams(p->function, args);
	if (LLVMGetSubprogram(p->function))
		LLVMSetCurrentDebugLocation2(
			b, LLVMDIBuilderCreateDebugLocation(
				   LLVMGetModuleContext(LLVMGetGlobalParent(p->function)), 0, 0,
				   LLVMGetSubprogram(p->function), NULL));
	call = LLVMBuildCall2(b, LLVMGlobalGetValueType(p->function), p->active, args, n, "");
	LLVMSetInstructionCallConv(call, LLVMGetFunctionCallConv(p->function));
	for (unsigned i = 0; i <= n; i++) {
		unsigned count = LLVMGetAttributeCountAtIndex(p->function, i);
		LLVMAttributeRef *list = xcalloc(count + 1, sizeof(LLVMAttributeRef));

		LLVMGetAttributesAtIndex(p->function, i, list);
		for (unsigned k = 0; k < count; k++)
			LLVMAddCallSiteAttribute(call, i, list[k]);
		free(list);
	}
	LLVMSetTailCallKind(call, LLVMTailCallKindMustTail);
	free(args);
	return call;
}

/* Only slots made in the entry block have a fixed place in the frame. */
static void move_slots(LLVMBuilderRef b, LLVMBasicBlockRef from)
{
	LLVMValueRef next;

	for (LLVMValueRef i = LLVMGetFirstInstruction(from); i; i = next) {
		next = LLVMGetNextInstruction(i);
		if (!LLVMIsAAllocaInst(i) || !LLVMIsAConstant(LLVMGetOperand(i, 0)))
			continue;
		LLVMInstructionRemoveFromParent(i);
		LLVMInsertIntoBuilder(b, i);
	}
}

static void add_entry(LLVMModuleRef mod, const struct split_pair *p)
{
	LLVMContextRef ctx = LLVMGetModuleContext(mod);
	LLVMTypeRef i32 = LLVMInt32TypeInContext(ctx);
	LLVMBasicBlockRef body = LLVMGetEntryBasicBlock(p->function);
	LLVMBasicBlockRef go = LLVMInsertBasicBlockInContext(ctx, body, "heddle.active");
	LLVMBasicBlockRef entry = LLVMInsertBasicBlockInContext(ctx, go, "heddle.entry");
	LLVMBuilderRef b = LLVMCreateBuilderInContext(ctx);
	LLVMTypeRef result = LLVMGetReturnType(LLVMGlobalGetValueType(p->function));
	LLVMValueRef flag, call;

	drop_promises(p->function);
	LLVMPositionBuilderAtEnd(b, entry);
	move_slots(b, body);
	flag = LLVMBuildLoad2(b, i32, active_flag(mod, i32), "");
	mark_instruction(ctx, flag, "invariant.load", NULL, 0);
	flag = LLVMBuildICmp(b, LLVMIntNE, flag, LLVMConstInt(i32, 0, 0), "");
	mark_unlikely(ctx, LLVMBuildCondBr(b, flag, go, body));
	LLVMPositionBuilderAtEnd(b, go);
	call = forward_call(b, p);
	if (LLVMGetTypeKind(result) == LLVMVoidTypeKind)
		LLVMBuildRetVoid(b);
	else
		LLVMBuildRet(b, call);
	LLVMDisposeBuilder(b);
}

static int pair_up(struct split *s, LLVMModuleRef mod, struct err *e)
{
	for (size_t i = 0; i < s->names.count; i++) {
		char *active = xasprintf("%s%s", s->names.items[i], ACTIVE_SUFFIX);
		struct split_pair p = {LLVMGetNamedFunction(mod, s->names.items[i]),
				       LLVMGetNamedFunction(mod, active)};

		free(active);
		if (!p.function || !p.active)
			return err_set(e, ERR_INTERNAL, "lost function %s", s->names.items[i]);
		settle_linkage(mod, &p);
		add_entry(mod, &p);
		vec_push(&s->pairs, p);
	}
	return 0;
}

int split_join(struct split *s, LLVMModuleRef plain, LLVMModuleRef active, struct err *e)
{
	struct hidden_list list = {VEC_INIT};
	int rc;

	expose_all(&list, plain);
	rc = ir_module_link(plain, active, e);
	hide_again(&list);
	return rc ? rc : pair_up(s, plain, e);
}

void split_fini(struct split *s)
{
	for (size_t i = 0; i < s->names.count; i++)
		free(s->names.items[i]);
	vec_free(&s->names);
	vec_free(&s->pairs);
}
