#include "instr/instr.h"

#include <string.h>

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>

#include "base/fs.h"
#include "instr/access.h"
#include "instr/asm.h"
#include "instr/atomic.h"
#include "instr/branch.h"
#include "instr/call.h"
#include "instr/element.h"
#include "instr/emit.h"
#include "instr/intrinsic.h"
#include "instr/name.h"
#include "instr/ordered.h"
#include "instr/record.h"
#include "instr/record_path.h"
#include "instr/site.h"
#include "instr/spin.h"
#include "instr/spin_idle.h"
#include "instr/split.h"
#include "instr/unit.h"
#include "ir/canon.h"
#include "ir/debug.h"
#include "ir/module.h"
#include "wire/record_paths.h"

#define MAX_BITCODE ((size_t)1 << 30)

static void instrument_call(struct unit *u, const struct escape *x, LLVMValueRef i)
{
	if (u->flavor->elements) {
		call_mark(u, i);
		return;
	}
	if (u->flavor->accesses)
		access_copied(u, x, i);
	if (u->flavor->accesses && access_block(u, x, i))
		return;
	if (u->flavor->atomics && atomic_libcall(u, i))
		return;
	if (u->flavor->calls)
		call_mark(u, i);
}

static void instrument_one(struct unit *u, const struct escape *x, LLVMValueRef i)
{
	switch (LLVMGetInstructionOpcode(i)) {
	case LLVMLoad:
		if (atomic_is(i) ? u->flavor->atomics : u->flavor->accesses)
			(void)(atomic_is(i) ? atomic_load(u, x, i) : access_load(u, x, i));
		break;
	case LLVMStore:
		if (atomic_is(i) ? u->flavor->atomics : u->flavor->accesses)
			(void)(atomic_is(i) ? atomic_store(u, x, i) : access_store(u, x, i));
		break;
	case LLVMAtomicRMW:
		if (u->flavor->atomics)
			(void)atomic_rmw(u, x, i);
		break;
	case LLVMAtomicCmpXchg:
		if (u->flavor->atomics)
			(void)atomic_cmpxchg(u, x, i);
		break;
	case LLVMFence:
		if (u->flavor->atomics)
			(void)atomic_fence(u, i);
		break;
	case LLVMICmp:
		if (u->flavor->branches)
			branch_compare(u, i);
		break;
	case LLVMCall:
	case LLVMInvoke:
	case LLVMCallBr:
		instrument_call(u, x, i);
		break;
	default:
		break;
	}
}

static void instrument_function(struct unit *u, LLVMValueRef function)
{
	VEC(LLVMValueRef) list = VEC_INIT;
	VEC(uint32_t) stretches = VEC_INIT;
	struct spin_marks marks = {VEC_INIT};
	struct escape x;
	uint32_t stretch = 0;
	struct cfg c;

	escape_init(&x, function);
	cfg_init(&c, function);
	if (u->flavor->spins)
		spin_find(u, &x, &c, &marks);
	for (size_t b = 0; b < c.blocks.count; b++) {
		stretch++;
		for (LLVMValueRef i = LLVMGetFirstInstruction(c.blocks.items[b]); i;
		     i = LLVMGetNextInstruction(i)) {
			bool alone = element_ends_stretch(i);

			stretch += alone;
			vec_push(&list, i);
			vec_push(&stretches, stretch);
			stretch += alone;
		}
	}
	/* Branches first: what they depend on is told from the loads still in place. */
	for (size_t i = 0; u->flavor->branches && i < list.count; i++)
		if (LLVMIsATerminatorInst(list.items[i]))
			branch_mark(u, &c, list.items[i]);
	for (size_t i = 0; i < list.count; i++) {
		u->stretch = stretches.items[i];
		instrument_one(u, &x, list.items[i]);
	}
	spin_mark(u, &marks);
	if (u->flavor->entries)
		call_mark_entry(u, function);
	spin_marks_fini(&marks);
	cfg_fini(&c);
	escape_fini(&x);
	vec_free(&list);
	vec_free(&stretches);
}

/* The variables of the unit are described once, by the plain half. */
static void forget_variables(LLVMContextRef ctx, LLVMModuleRef mod)
{
	unsigned n = LLVMGetNamedMetadataNumOperands(mod, "llvm.dbg.cu");
	LLVMValueRef *units = xcalloc(n + 1, sizeof(*units));
	LLVMMetadataRef none = LLVMMDNodeInContext2(ctx, NULL, 0);

	LLVMGetNamedMetadataOperands(mod, "llvm.dbg.cu", units);
	for (unsigned i = 0; i < n; i++)
		LLVMReplaceMDNodeOperandWith(units[i], DEBUG_UNIT_GLOBALS, none);
	free(units);
}

int unit_instrument(struct unit *u, struct err *e)
{
	LLVMModuleRef mod = u->mod;
	VEC(LLVMValueRef) functions = VEC_INIT;
	int rc;

	rc = ir_canon_module(mod, e);
	if (rc)
		return rc;
	u->hash = ir_canon_hash(mod);
	if (u->flavor->atomics) {
		asm_translate(u);
		rc = intrinsic_translate(u, e);
		if (rc)
			return rc;
	}
	name_collect(u);
	spin_find_quiet(u);
	spin_find_idle(u);
	for (LLVMValueRef f = LLVMGetFirstFunction(mod); f; f = LLVMGetNextFunction(f))
		if (split_wanted(f))
			vec_push(&functions, f);
	for (size_t i = 0; i < functions.count; i++)
		instrument_function(u, functions.items[i]);
	vec_free(&functions);
	LLVMSetIsNewDbgInfoFormat(mod, 1);
	forget_variables(u->ctx, mod);
	return 0;
}

struct halves {
	LLVMModuleRef plain, active;
};

static int parse_both(LLVMContextRef ctx, const char *bytes, size_t n, struct halves *h,
		      struct err *e)
{
	int rc = ir_module_parse(ctx, bytes, n, &h->plain, e);

	if (!rc)
		rc = ir_module_parse(ctx, bytes, n, &h->active, e);
	if (rc)
		return rc;
	split_name_globals(h->plain);
	split_name_globals(h->active);
	return ir_canon_split_coroutines(h->plain, e);
}

static int finish(struct unit *u, const char *out_path, const struct instr_options *o,
		  struct err *e)
{
	int rc;

	if (!o->keep_debug)
		LLVMStripModuleDebugInfo(u->mod);
	rc = ir_module_verify(u->mod, e);
	return rc ? rc : ir_module_write(u->mod, out_path, e);
}

/* The record flavour has one body, in canonical form. */
static int record_unit(LLVMModuleRef mod, const struct emit_bitcode *kept, const char *out_path,
		       const struct instr_options *o, struct err *e)
{
	struct record_choice alone = {.words = VEC_INIT};
	struct record_choice *c = o->choice ? o->choice : &alone;
	struct strbuf paths = STRBUF_INIT;
	struct unit u = {0};
	int rc;

	split_name_globals(mod);
	rc = ir_canon_module(mod, e);
	if (rc)
		return rc;
	unit_init(&u, mod, o->flavor);
	if (!o->choice)
		record_choose(c, mod, o->mark_all || o->flavor->paths);
	c->head.magic = RECORD_MARKS_MAGIC;
	c->head.canon = ir_canon_hash(mod);
	c->head.unit = (uint32_t)fs_hash(FS_HASH_START, o->source, strlen(o->source));
	record_take_back(&u, c);
	c->head.words = (uint32_t)c->words.count;
	if (o->flavor->paths) {
		c->head.flags |= RECORD_MARKS_PATHS;
		record_paths(&u, c, &paths);
	} else {
		record_points(&u, c);
	}
	record_drop_promises(&u);
	LLVMSetIsNewDbgInfoFormat(mod, 1);
	emit_record(&u, &c->head, c->words.items, o->source);
	if (paths.length)
		emit_section(&u, HEDDLE_PATHS_SECTION, paths.text, paths.length);
	emit_bitcode(&u, kept);
	rc = ir_module_verify(mod, e);
	if (!rc)
		rc = ir_module_write(mod, out_path, e);
	unit_fini(&u);
	strbuf_free(&paths);
	vec_free(&alone.words);
	return rc;
}

/* The same without points: calls of the runtime around accesses of some elements. */
static int coop_unit(LLVMModuleRef mod, const struct emit_bitcode *kept, const char *out_path,
		     const struct instr_options *o, struct err *e)
{
	struct record_marks none = {.magic = RECORD_MARKS_MAGIC};
	struct elements seen = {NULL, 0, 0};
	struct unit u = {0};
	int rc;

	split_name_globals(mod);
	unit_init(&u, mod, o->flavor);
	u.elements = &seen;
	rc = unit_instrument(&u, e);
	if (!rc) {
		element_surround(&u, &seen, o->wanted ? o->wanted : "");
		record_drop_promises(&u);
		none.canon = u.hash;
		none.unit = (uint32_t)fs_hash(FS_HASH_START, o->source, strlen(o->source));
		/* Sites were numbered for the notes only: nothing refers to them. */
		vec_clear(&u.sites);
		emit_record(&u, &none, NULL, o->source);
		emit_bitcode(&u, kept);
		rc = ir_module_verify(mod, e);
	}
	if (!rc)
		rc = ir_module_write(mod, out_path, e);
	elements_free(&seen);
	unit_fini(&u);
	return rc;
}

/* One body, as the user wrote it, with calls around its atomics. */
static int ordered_unit(LLVMModuleRef mod, const struct emit_bitcode *kept, const char *out_path,
			const struct instr_options *o, struct err *e)
{
	struct unit u = {0};
	int rc;

	unit_init(&u, mod, o->flavor);
	ordered_instrument(&u);
	emit_bitcode(&u, kept);
	rc = ir_module_verify(mod, e);
	if (!rc)
		rc = ir_module_write(mod, out_path, e);
	unit_fini(&u);
	return rc;
}

int instr_file(const char *in_path, const char *out_path, const struct instr_options *options,
	       struct err *e)
{
	LLVMContextRef ctx = ir_context_new();
	struct emit_bitcode kept = {.source = options->source, .args = options->args};
	struct halves h = {NULL, NULL};
	struct split s = {VEC_INIT, VEC_INIT};
	struct unit u = {0};
	char *bytes = NULL;
	size_t n;
	int rc = fs_read_file(in_path, MAX_BITCODE, &bytes, &n, e);

	kept.bytes = bytes;
	kept.count = n;
	if (!rc && (options->flavor->record || options->flavor->ordered)) {
		rc = ir_module_parse(ctx, bytes, n, &h.plain, e);
		if (!rc)
			rc = (options->flavor->elements ? coop_unit
			      : options->flavor->record
				      ? record_unit
				      : ordered_unit)(h.plain, &kept, out_path, options, e);
		goto out;
	}
	if (!rc)
		rc = parse_both(ctx, bytes, n, &h, e);
	if (rc)
		goto out;
	unit_init(&u, h.active, options->flavor);
	rc = unit_instrument(&u, e);
	if (rc)
		goto out;
	split_detach(&s, h.active);
	rc = split_join(&s, h.plain, h.active, e);
	h.active = NULL;
	if (rc)
		goto out;
	u.mod = h.plain;
	u.site_base = LLVMGetNamedGlobal(u.mod, SITE_BASE);
	emit_tables(&u, &s, options->source);
	emit_bitcode(&u, &kept);
	rc = finish(&u, out_path, options, e);
out:
	if (u.build)
		unit_fini(&u);
	split_fini(&s);
	if (h.active)
		LLVMDisposeModule(h.active);
	if (h.plain)
		LLVMDisposeModule(h.plain);
	LLVMContextDispose(ctx);
	free(bytes);
	return rc;
}
