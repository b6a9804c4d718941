#include "ir/bitcode.h"

#include <elf.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <llvm-c/Core.h>

#include "base/fs.h"
#include "base/mem.h"
#include "ir/module.h"
#include "wire/site.h"

#define MAX_FILE ((size_t)4 << 30)

struct range {
	const char *bytes;
	size_t count;
};

static int foreign(const char *path, struct err *e)
{
	return err_set(e, ERR_FORMAT, "%s is not a 64-bit ELF file", path);
}

static bool within(const struct ir_bitcode_file *f, uint64_t offset, uint64_t bytes)
{
	return offset <= f->count && bytes <= f->count - offset;
}

/* The section of that name; count 0 when there is none. */
static int find_section(const struct ir_bitcode_file *f, const char *path, const char *name,
			struct range *out, struct err *e)
{
	const Elf64_Ehdr *head = (const void *)f->bytes;
	const Elf64_Shdr *table, *names;

	out->count = 0;
	if (f->count < sizeof(*head) || memcmp(head->e_ident, ELFMAG, SELFMAG) ||
	    head->e_ident[EI_CLASS] != ELFCLASS64 || head->e_shentsize != sizeof(Elf64_Shdr))
		return foreign(path, e);
	if (!within(f, head->e_shoff, (uint64_t)head->e_shnum * sizeof(Elf64_Shdr)) ||
	    head->e_shoff % 8 || head->e_shstrndx >= head->e_shnum)
		return err_set(e, ERR_FORMAT, "%s has a damaged section table", path);
	table = (const void *)(f->bytes + head->e_shoff);
	names = &table[head->e_shstrndx];
	for (unsigned i = 0; i < head->e_shnum; i++) {
		const Elf64_Shdr *s = &table[i];
		uint64_t at = names->sh_offset + s->sh_name;

		if (s->sh_name >= names->sh_size || !within(f, at, strlen(name) + 1) ||
		    memcmp(f->bytes + at, name, strlen(name) + 1))
			continue;
		if (!within(f, s->sh_offset, s->sh_size) || s->sh_type == SHT_NOBITS)
			return err_set(e, ERR_FORMAT, "%s has a damaged section %s", path, name);
		out->bytes = f->bytes + s->sh_offset;
		out->count = s->sh_size;
		return 0;
	}
	return 0;
}

/* One frame at the start of the range; *used is its length with padding. */
static int read_frame(struct range r, struct ir_bitcode_unit *u, size_t *used, struct err *e)
{
	struct heddle_bitcode_frame frame;
	uint64_t left, texts;

	if (r.count < sizeof(frame))
		return err_set(e, ERR_FORMAT, "truncated frame");
	memcpy(&frame, r.bytes, sizeof(frame));
	left = r.count - sizeof(frame);
	texts = (uint64_t)frame.name_bytes + frame.args_bytes;
	if (frame.magic != HEDDLE_BITCODE_MAGIC || !frame.name_bytes || texts > left ||
	    frame.bytes > left - texts)
		return err_set(e, ERR_FORMAT, "damaged frame");
	u->name = r.bytes + sizeof(frame);
	u->args = u->name + frame.name_bytes;
	u->args_bytes = frame.args_bytes;
	u->bytes = u->args + frame.args_bytes;
	u->count = frame.bytes;
	if (u->name[frame.name_bytes - 1] || (frame.args_bytes && u->args[frame.args_bytes - 1]))
		return err_set(e, ERR_FORMAT, "damaged frame");
	if (fs_hash(FS_HASH_START, u->bytes, u->count) != frame.checksum)
		return err_set(e, ERR_CHECKSUM, "bitcode of %s is damaged", u->name);
	*used = (sizeof(frame) + texts + frame.bytes + 7) & ~(size_t)7;
	return 0;
}

static int read_frames(struct ir_bitcode_file *f, struct range r, struct err *e)
{
	while (r.count) {
		struct ir_bitcode_unit unit;
		size_t used = 0;
		int rc;

		/* The linker may align the sections it puts together. */
		if (r.count >= 8 && !memcmp(r.bytes, "\0\0\0\0\0\0\0\0", 8)) {
			r.bytes += 8;
			r.count -= 8;
			continue;
		}
		rc = read_frame(r, &unit, &used, e);
		if (rc)
			return rc;
		if (used > r.count)
			used = r.count;
		f->units = xrealloc(f->units, f->unit_count + 1, sizeof(*f->units));
		f->units[f->unit_count++] = unit;
		r.bytes += used;
		r.count -= used;
	}
	return 0;
}

int ir_bitcode_read(struct ir_bitcode_file *f, const char *path, struct err *e)
{
	struct range section;
	int rc;

	memset(f, 0, sizeof(*f));
	rc = fs_read_file(path, MAX_FILE, &f->bytes, &f->count, e);
	if (!rc)
		rc = find_section(f, path, HEDDLE_BITCODE_SECTION, &section, e);
	if (!rc && !section.count)
		rc = err_set(e, ERR_NOT_FOUND, "%s carries no bitcode: it was not built by heddle",
			     path);
	if (!rc) {
		rc = read_frames(f, section, e);
		if (rc)
			err_wrap(e, "%s, section %s", path, HEDDLE_BITCODE_SECTION);
	}
	if (rc)
		ir_bitcode_fini(f);
	return rc;
}

void ir_bitcode_fini(struct ir_bitcode_file *f)
{
	free(f->bytes);
	free(f->units);
	memset(f, 0, sizeof(*f));
}

int ir_bitcode_link(LLVMContextRef ctx, const char *path, LLVMModuleRef *out, struct err *e)
{
	struct ir_bitcode_file f;
	LLVMModuleRef all, one;
	int rc = ir_bitcode_read(&f, path, e);

	*out = NULL;
	if (rc)
		return rc;
	all = LLVMModuleCreateWithNameInContext(path, ctx);
	for (size_t i = 0; i < f.unit_count && !rc; i++) {
		rc = ir_module_parse(ctx, f.units[i].bytes, f.units[i].count, &one, e);
		if (!rc && !i) {
			LLVMSetTarget(all, LLVMGetTarget(one));
			LLVMSetDataLayout(all, LLVMGetDataLayoutStr(one));
		}
		if (!rc)
			rc = ir_module_link(all, one, e);
		if (rc)
			err_wrap(e, "%s", f.units[i].name);
	}
	if (rc)
		LLVMDisposeModule(all);
	else
		*out = all;
	ir_bitcode_fini(&f);
	return rc;
}
