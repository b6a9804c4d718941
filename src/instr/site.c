#include "instr/site.h"

#include <string.h>

#include <llvm-c/Core.h>

#include "base/fs.h"
#include "ir/debug.h"
#include "wire/site.h"

static struct unit_text *text_slot(struct unit *u, uint64_t hash, const char *text, size_t bytes)
{
	size_t i = hash & (u->text_capacity - 1);

	for (;; i = (i + 1) & (u->text_capacity - 1)) {
		struct unit_text *t = &u->text_slots[i];

		if (!t->offset || (t->hash == hash && t->bytes == bytes &&
				   !memcmp(u->texts.text + t->offset, text, bytes)))
			return t;
	}
}

static void text_grow(struct unit *u)
{
	struct unit_text *old = u->text_slots;
	size_t n = u->text_capacity;

	u->text_capacity = n ? n * 2 : 256;
	u->text_slots = xcalloc(u->text_capacity, sizeof(*u->text_slots));
	for (size_t i = 0; i < n; i++)
		if (old[i].offset)
			*text_slot(u, old[i].hash, u->texts.text + old[i].offset, old[i].bytes) =
				old[i];
	free(old);
}

uint32_t site_text(struct unit *u, const char *text, size_t bytes)
{
	uint64_t hash = fs_hash(FS_HASH_START, text, bytes);
	struct unit_text *slot;

	if (!bytes)
		return 0;
	if ((u->text_count + 1) * 4 > u->text_capacity * 3)
		text_grow(u);
	if (!u->texts.length)
		strbuf_add_char(&u->texts, 0);
	slot = text_slot(u, hash, text, bytes);
	if (!slot->offset) {
		slot->hash = hash;
		slot->bytes = (uint32_t)bytes;
		slot->offset = (uint32_t)u->texts.length;
		strbuf_add_bytes(&u->texts, text, bytes);
		strbuf_add_char(&u->texts, 0);
		u->text_count++;
	}
	return slot->offset;
}

static LLVMValueRef site_pointer(struct unit *u, LLVMValueRef base, size_t index)
{
	LLVMValueRef offset = unit_i64(u, index * sizeof(struct heddle_site));

	return LLVMConstInBoundsGEP2(u->i8, base, &offset, 1);
}

static LLVMValueRef add_at(struct unit *u, const struct ir_location *at, LLVMValueRef function,
			   const struct site_what *what)
{
	struct unit_site site = {.kind = what->kind, .flags = what->flags};
	struct strbuf name = STRBUF_INIT;
	size_t bytes;
	const char *symbol = LLVMGetValueName2(function, &bytes);

	if (at->subprogram)
		ir_debug_subprogram_name(u->ctx, at->subprogram, &name);
	if (!name.length)
		strbuf_add_bytes(&name, symbol, bytes);
	site.func = site_text(u, name.text, name.length);
	strbuf_free(&name);
	site.file = site_text(u, at->file, at->file_bytes);
	site.dir = site_text(u, at->dir, at->dir_bytes);
	site.name = what->name ? site_text(u, what->name, strlen(what->name)) : 0;
	site.line = at->line;
	site.column = at->column > UINT16_MAX ? 0 : at->column;
	site.size = what->size > UINT8_MAX ? 0 : (uint8_t)what->size;
	if (!u->site_base)
		u->site_base = LLVMAddGlobal(u->mod, u->i8, SITE_BASE);
	vec_push(&u->sites, site);
	return site_pointer(u, u->site_base, u->sites.count - 1);
}

LLVMValueRef site_add(struct unit *u, LLVMValueRef instruction, const struct site_what *what)
{
	LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(instruction));
	struct ir_location at = {.file = "", .dir = ""};

	(void)ir_debug_location(instruction, &at);
	return add_at(u, &at, function, what);
}

LLVMValueRef site_add_function(struct unit *u, LLVMValueRef function, const struct site_what *what)
{
	struct ir_location at = {.file = "", .dir = ""};

	(void)ir_debug_function_location(function, &at);
	return add_at(u, &at, function, what);
}

LLVMValueRef site_distance(struct unit *u, LLVMValueRef strings, uint32_t offset,
			   LLVMValueRef record)
{
	LLVMValueRef at = unit_i64(u, offset), to;

	if (!offset)
		return unit_i32(u, 0);
	to = LLVMConstPtrToInt(LLVMConstInBoundsGEP2(u->i8, strings, &at, 1), u->i64);
	return LLVMConstTrunc(LLVMConstSub(to, LLVMConstPtrToInt(record, u->i64)), u->i32);
}

static LLVMValueRef site_constant(struct unit *u, const struct unit_site *s, LLVMValueRef strings,
				  LLVMValueRef record, uint32_t unit)
{
	LLVMValueRef fields[] = {
		site_distance(u, strings, s->file, record),
		site_distance(u, strings, s->dir, record),
		site_distance(u, strings, s->func, record),
		site_distance(u, strings, s->name, record),
		unit_i32(u, s->line),
		LLVMConstInt(u->i16, s->column, 0),
		LLVMConstInt(u->i8, s->kind, 0),
		LLVMConstInt(u->i8, s->size, 0),
		unit_i32(u, s->flags),
		unit_i32(u, unit),
	};

	return LLVMConstStructInContext(u->ctx, fields, sizeof(fields) / sizeof(fields[0]), 0);
}

static LLVMValueRef emit_strings(struct unit *u)
{
	LLVMValueRef text, strings;

	(void)site_text(u, "", 0);
	if (!u->texts.length)
		strbuf_add_char(&u->texts, 0);
	text = LLVMConstStringInContext2(u->ctx, u->texts.text, u->texts.length, 1);
	strings = LLVMAddGlobal(u->mod, LLVMTypeOf(text), "heddle.strs");
	LLVMSetInitializer(strings, text);
	LLVMSetGlobalConstant(strings, 1);
	LLVMSetLinkage(strings, LLVMInternalLinkage);
	LLVMSetSection(strings, HEDDLE_STRS_SECTION);
	LLVMSetAlignment(strings, 1);
	return strings;
}

/*
 * Code refers to the table by a name the assembler binds to it.  Passes that follow references (the
 * call graph above all) would otherwise walk through every record of the unit for every function of
 * it, which is quadratic.
 */
static void bind_base(struct unit *u)
{
	static const char text[] = ".set \"" SITE_BASE "\", \"" SITE_TABLE "\"\n";

	LLVMSetVisibility(u->site_base, LLVMHiddenVisibility);
	LLVMAppendModuleInlineAsm(u->mod, text, sizeof(text) - 1);
}

LLVMValueRef site_emit(struct unit *u, const char *source)
{
	LLVMValueRef strings = emit_strings(u), table, *records;
	uint64_t hash = fs_hash(FS_HASH_START, source, strlen(source));
	LLVMTypeRef type;

	if (!u->sites.count)
		return strings;
	type = LLVMTypeOf(site_constant(u, &u->sites.items[0], strings, u->site_base, 0));
	table = LLVMAddGlobal(u->mod, LLVMArrayType2(type, u->sites.count), SITE_TABLE);
	records = xcalloc(u->sites.count, sizeof(*records));
	for (size_t i = 0; i < u->sites.count; i++)
		records[i] = site_constant(u, &u->sites.items[i], strings,
					   site_pointer(u, table, i), (uint32_t)hash);
	LLVMSetInitializer(table, LLVMConstArray2(type, records, u->sites.count));
	LLVMSetGlobalConstant(table, 1);
	LLVMSetLinkage(table, LLVMInternalLinkage);
	LLVMSetSection(table, HEDDLE_SITES_SECTION);
	LLVMSetAlignment(table, 8);
	bind_base(u);
	u->site_base = table;
	free(records);
	return strings;
}
