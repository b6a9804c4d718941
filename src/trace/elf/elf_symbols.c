#include "trace/elf/elf_symbols.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

struct trace_elf_symbols {
	VEC_FIELDS(struct trace_elf_symbol);
	char *strings[2]; /* of the symbol table and of the dynamic one */
};

static bool is_named_thing(const Elf64_Sym *s)
{
	unsigned type = ELF64_ST_TYPE(s->st_info);

	return s->st_shndx != SHN_UNDEF && s->st_size &&
	       (type == STT_FUNC || type == STT_OBJECT || type == STT_GNU_IFUNC);
}

/* Appends the symbols of one table; its strings come back in *strings. */
static int add_table(struct trace_elf_symbols *all, const struct trace_elf *elf, uint32_t index,
		     char **strings, struct err *e)
{
	struct trace_elf_section table, names;
	int rc;

	rc = trace_elf_read_index(elf, index, &table, e);
	if (rc)
		return rc;
	rc = trace_elf_read_index(elf, table.link, &names, e);
	if (rc) {
		free(table.contents);
		return rc;
	}
	*strings = names.contents;
	for (uint64_t at = 0; table.bytes - at >= sizeof(Elf64_Sym); at += sizeof(Elf64_Sym)) {
		struct trace_elf_symbol symbol;
		Elf64_Sym s;

		memcpy(&s, table.contents + at, sizeof(s));
		if (!is_named_thing(&s) || s.st_name == 0 || s.st_name >= names.bytes)
			continue;
		if (s.st_value + s.st_size < s.st_value)
			continue;
		symbol.addr = s.st_value;
		symbol.bytes = s.st_size;
		symbol.name = names.contents + s.st_name;
		symbol.is_function = ELF64_ST_TYPE(s.st_info) != STT_OBJECT;
		vec_push(all, symbol);
	}
	free(table.contents);
	return 0;
}

/* By address; of several names of one thing the longest extent, then the first name, leads. */
static int compare(const void *a, const void *b)
{
	const struct trace_elf_symbol *x = a, *y = b;

	if (x->addr != y->addr)
		return x->addr < y->addr ? -1 : 1;
	if (x->bytes != y->bytes)
		return x->bytes > y->bytes ? -1 : 1;
	return strcmp(x->name, y->name);
}

/* Leaves symbols that do not overlap: one inside another, or a second name, goes. */
static void sort_and_thin(struct trace_elf_symbols *all)
{
	size_t kept = 0;

	if (all->count)
		qsort(all->items, all->count, sizeof(*all->items), compare);
	for (size_t i = 0; i < all->count; i++) {
		struct trace_elf_symbol *last = kept ? &all->items[kept - 1] : NULL;

		if (last && all->items[i].addr < last->addr + last->bytes)
			continue;
		all->items[kept++] = all->items[i];
	}
	all->count = kept;
}

int trace_elf_symbols_open(const char *path, struct trace_elf_symbols **out, struct err *e)
{
	static const uint32_t types[2] = {SHT_SYMTAB, SHT_DYNSYM};
	struct trace_elf_symbols *all;
	struct trace_elf *elf;
	int rc;

	rc = trace_elf_open(path, &elf, e);
	if (rc)
		return rc;
	all = xcalloc(1, sizeof(*all));
	for (int i = 0; i < 2 && !rc; i++) {
		uint32_t index = trace_elf_find_type(elf, types[i]);

		if (index)
			rc = add_table(all, elf, index, &all->strings[i], e);
	}
	trace_elf_close(elf);
	if (rc) {
		err_wrap(e, "%s", path);
		trace_elf_symbols_close(all);
		return rc;
	}
	sort_and_thin(all);
	*out = all;
	return 0;
}

void trace_elf_symbols_close(struct trace_elf_symbols *s)
{
	if (!s)
		return;
	free(s->strings[0]);
	free(s->strings[1]);
	vec_free(s);
	free(s);
}

const struct trace_elf_symbol *trace_elf_symbols_get(const struct trace_elf_symbols *s, size_t i)
{
	return i < s->count ? &s->items[i] : NULL;
}

const struct trace_elf_symbol *trace_elf_symbols_find(const struct trace_elf_symbols *s,
						      uint64_t addr)
{
	size_t low = 0, high = s->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (s->items[middle].addr <= addr)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low || addr - s->items[low - 1].addr >= s->items[low - 1].bytes)
		return NULL;
	return &s->items[low - 1];
}
