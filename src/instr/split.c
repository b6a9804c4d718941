#include "instr/split.h"

#include <stdio.h>
#include <string.h>

#include <llvm-c/Comdat.h>
#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>

#include "instr/body.h"
#include "instr/entry.h"
#include "instr/outside.h"
#include "ir/function.h"
#include "ir/module.h"

#define ACTIVE_SUFFIX ".heddle"

bool split_is_resolver(LLVMValueRef function)
{
	LLVMModuleRef mod = LLVMGetGlobalParent(function);

	for (LLVMValueRef f = LLVMGetFirstGlobalIFunc(mod); f; f = LLVMGetNextGlobalIFunc(f))
		if (LLVMGetGlobalIFuncResolver(f) == function)
			return true;
	return false;
}

bool split_wanted(LLVMValueRef function)
{
	return !LLVMIsDeclaration(function) && !ir_function_has(function, "naked") &&
	       !ir_function_has(function, "presplitcoroutine") &&
	       !split_is_resolver(function) && entry_possible(function);
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

static LLVMValueRef declare_like(LLVMModuleRef mod, LLVMValueRef function, const char *name)
{
	LLVMValueRef decl = LLVMAddFunction(mod, name, LLVMGlobalGetValueType(function));

	LLVMSetFunctionCallConv(decl, LLVMGetFunctionCallConv(function));
	body_copy_attributes(function, decl);
	body_drop_promises(decl);
	return decl;
}

static void detach_function(struct split *s, LLVMModuleRef mod, LLVMValueRef function)
{
	char *name = body_name_of(function), *active = xasprintf("%s%s", name, ACTIVE_SUFFIX);
	LLVMLinkage linkage = LLVMGetLinkage(function);
	bool wanted = split_wanted(function);
	LLVMValueRef decl;

	LLVMSetValueName2(function, active, strlen(active));
	decl = declare_like(mod, function, name);
	body_redirect_uses(mod, function, decl);
	if (wanted) {
		if (!body_interposable(linkage))
			body_redirect_calls(decl, function, NULL);
		body_drop_promises(function);
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

/*
 * A table of labels belongs to the body its labels are in: the active module keeps its own.  So do
 * texts that only instrumented code uses.
 */
static bool stays_here(LLVMValueRef global)
{
	LLVMLinkage linkage = LLVMGetLinkage(global);
	size_t bytes;

	if (linkage != LLVMInternalLinkage && linkage != LLVMPrivateLinkage)
		return false;
	return !strncmp(LLVMGetValueName2(global, &bytes), OUTSIDE_EFFECTS, strlen(OUTSIDE_EFFECTS)) ||
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
		name = body_name_of(global);
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
	char *name = body_name_of(alias), *own = xasprintf("%s%s", name, ACTIVE_SUFFIX);
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
	char *name = body_name_of(ifunc);
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

static int pair_up(struct split *s, LLVMModuleRef mod, struct err *e)
{
	struct ptrmap plain_bodies = PTRMAP_INIT;

	for (size_t i = 0; i < s->names.count; i++) {
		char *active = xasprintf("%s%s", s->names.items[i], ACTIVE_SUFFIX);
		struct split_pair p = {LLVMGetNamedFunction(mod, s->names.items[i]),
				       LLVMGetNamedFunction(mod, active)};

		free(active);
		if (!p.function || !p.active) {
			ptrmap_free(&plain_bodies);
			return err_set(e, ERR_INTERNAL, "lost function %s", s->names.items[i]);
		}
		body_settle_linkage(mod, p.function, p.active);
		ptrmap_add(&plain_bodies, p.function);
		vec_push(&s->pairs, p);
	}
	for (size_t i = 0; i < s->pairs.count; i++)
		entry_add(mod, &s->pairs.items[i], &plain_bodies);
	ptrmap_free(&plain_bodies);
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
