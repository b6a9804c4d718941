/* The ELF reader, on this very program, which carries a small site table. */
#include "unit.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>

#include "trace/elf/elf.h"
#include "trace/elf/elf_sites.h"
#include "trace/elf/elf_symbols.h"
#include "trace/elf/sites.h"
#include "trace/elf/symbols.h"

/* Three records as the instrumenter writes them: distances from the record, no relocations. */
__asm__(".pushsection heddle_strs,\"a\",@progbits\n"
	"1: .asciz \"dir/file.c\"\n"
	"2: .asciz \"/build\"\n"
	"3: .asciz \"work\"\n"
	"4: .asciz \"q->head\"\n"
	".popsection\n"
	".pushsection heddle_sites,\"a\",@progbits\n"
	".balign 8\n"
	"5: .long 1b - 5b, 2b - 5b, 3b - 5b, 4b - 5b, 17\n"
	".short 9\n.byte 1, 8\n.long 2, 77\n"
	"6: .long 1b - 6b, 2b - 6b, 3b - 6b, 0, 18\n"
	".short 5\n.byte 32, 0\n.long 0, 77\n"
	"7: .long 0, 0, 0, 0, 0\n"
	".short 0\n.byte 2, 4\n.long 0, 78\n"
	".popsection\n");

#define SELF "/proc/self/exe"

/* Something to look up; the name must survive. */
int elf_test_global[25];
void elf_test_function(void);
__attribute__((noinline)) void elf_test_function(void)
{
	elf_test_global[0]++;
	elf_test_global[24]--;
}

static void own_site_table_is_read(void **state)
{
	struct trace_sites t = {.count = 0};
	struct err e = ERR_INIT;
	const struct trace_site *s;
	struct strbuf b = STRBUF_INIT;

	assert_ok(trace_elf_sites_add(&t, SELF, 100, &e), e);
	assert_int_equal(t.count, 3);
	s = trace_sites_find(&t, 100);
	assert_non_null(s);
	assert_string_equal(s->file, "dir/file.c");
	assert_string_equal(s->dir, "/build");
	assert_string_equal(s->func, "work");
	assert_string_equal(s->name, "q->head");
	assert_int_equal(s->line, 17);
	assert_int_equal(s->column, 9);
	assert_int_equal(s->kind, EVENT_READ);
	assert_int_equal(s->size, 8);
	assert_int_equal(s->flags, SITE_ATOMIC);
	assert_int_equal(s->unit, 77);
	trace_site_place(s, false, &b);
	strbuf_add_char(&b, ' ');
	trace_site_place(s, true, &b);
	strbuf_add_char(&b, ' ');
	trace_site_place(trace_sites_find(&t, 102), true, &b);
	assert_string_equal(b.text, "dir/file.c:17 file.c:17 ?");
	s = trace_sites_find(&t, 101);
	assert_string_equal(s->name, "");
	assert_null(trace_sites_find(&t, 99));
	assert_null(trace_sites_find(&t, 103));
	assert_null(trace_sites_find(&t, SITE_NONE));
	strbuf_free(&b);
	trace_sites_fini(&t);
}

static void modules_number_their_sites(void **state)
{
	struct wire_module modules[2] = {
		{.sites_count = 3, .first_site = 3, .path = SELF},
		{.sites_count = 3, .first_site = 0, .path = SELF},
	};
	static const bool used[6] = {[1] = true, [3] = true};
	struct trace_sites t = {.count = 0};
	struct err e = ERR_INIT;

	assert_ok(trace_sites_from_modules(&t, modules, 2, &e), e);
	assert_int_equal(t.count, 6);
	for (uint32_t i = 0; i < 6; i++)
		assert_int_equal(t.items[i].id, i);
	assert_int_equal(t.items[3].line, 17);
	trace_sites_keep(&t, used, 6);
	assert_int_equal(t.count, 2);
	assert_int_equal(t.items[1].id, 3);
	trace_sites_fini(&t);

	modules[0].first_site = 2;
	assert_error(trace_sites_from_modules(&t, modules, 2, &e), ERR_MISMATCH, e);
	modules[0].first_site = 3;
	modules[0].sites_count = 4;
	assert_error(trace_sites_from_modules(&t, modules, 2, &e), ERR_MISMATCH, e);
	assert_contains(e.text, "has 3 sites");
	/* A path that fills its field has no NUL; it must still end, too long for the kernel. */
	for (size_t i = 0; i < sizeof(modules[0].path); i++)
		modules[0].path[i] = "x/"[i % 2];
	assert_error(trace_sites_from_modules(&t, modules, 2, &e), ERR_IO, e);
	assert_int_equal(t.count, 0);
}

static void instrumented_files_are_recognised(void **state)
{
	struct err e = ERR_INIT;

	assert_ok(trace_elf_check_instrumented(SELF, &e), e);
	assert_error(trace_elf_check_instrumented("/bin/sh", &e), ERR_MISMATCH, e);
	assert_contains(e.text, "heddle cc");
	assert_error(trace_elf_check_instrumented("/etc/passwd", &e), ERR_FORMAT, e);
	assert_error(trace_elf_check_instrumented("/nonexistent", &e), ERR_NOT_FOUND, e);
	assert_error(trace_elf_check_instrumented("/", &e), ERR_FORMAT, e);
	assert_error(trace_elf_check_instrumented("/dev/null", &e), ERR_FORMAT, e);
}

static int take_bias(struct dl_phdr_info *info, size_t size, void *out)
{
	*(uint64_t *)out = info->dlpi_addr;
	return 1; /* the first is the program itself */
}

static void addresses_have_names(void **state)
{
	struct trace_symbols t = {.count = 0};
	struct strbuf b = STRBUF_INIT;
	struct err e = ERR_INIT;
	uint64_t bias, addrs[3];

	dl_iterate_phdr(take_bias, &bias);
	elf_test_function();
	addrs[0] = (uintptr_t)elf_test_function + 1;
	addrs[1] = (uintptr_t)&elf_test_global[3];
	addrs[2] = 16;
	if (addrs[1] < addrs[0]) {
		uint64_t kept = addrs[0];

		addrs[0] = addrs[1];
		addrs[1] = kept;
	}
	assert_ok(trace_symbols_add(&t, SELF, bias, addrs, 3, &e), e);
	assert_int_equal(t.count, 2);
	assert_true(trace_symbols_print(&t, (uintptr_t)&elf_test_global[0], &b));
	strbuf_add_char(&b, ' ');
	assert_true(trace_symbols_print(&t, (uintptr_t)&elf_test_global[24], &b));
	assert_string_equal(b.text, "elf_test_global elf_test_global+0x60");
	/* Far behind it: sanitizers make variables longer than they are. */
	assert_false(trace_symbols_print(&t, (uintptr_t)&elf_test_global + (1 << 20), &b));
	assert_false(trace_symbols_print(&t, 0, &b));
	assert_true(trace_symbols_find(&t, (uintptr_t)elf_test_function)->is_function);
	assert_false(trace_symbols_find(&t, (uintptr_t)elf_test_global)->is_function);
	/* The same again changes nothing. */
	assert_ok(trace_symbols_add(&t, SELF, bias, addrs, 3, &e), e);
	assert_int_equal(t.count, 2);
	trace_symbols_fini(&t);
	strbuf_free(&b);
}

static void symbols_of_a_stripped_library_are_its_dynamic_ones(void **state)
{
	struct trace_elf_symbols *s;
	struct err e = ERR_INIT;
	char path[4096] = "";
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[4200];

	while (fgets(line, sizeof(line), maps)) {
		char *slash = strchr(line, '/');

		if (slash && strstr(slash, "/libc.so.6")) {
			slash[strcspn(slash, "\n")] = '\0';
			strcpy(path, slash);
		}
	}
	fclose(maps);
	if (!path[0])
		skip();
	assert_ok(trace_elf_symbols_open(path, &s, &e), e);
	assert_null(trace_elf_symbols_find(s, 0));
	assert_null(trace_elf_symbols_find(s, UINT64_MAX));
	trace_elf_symbols_close(s);
}

/* Everything the reader can do with a file, whatever it is. */
static void read_whatever(const char *path)
{
	struct trace_elf_symbols *symbols;
	struct trace_sites t = {.count = 0};
	struct trace_elf *elf;
	uint8_t id[32];

	if (trace_elf_open(path, &elf, NULL) == 0) {
		assert_true(trace_elf_build_id(elf, id, sizeof(id)) <= sizeof(id));
		trace_elf_close(elf);
	}
	if (trace_elf_sites_add(&t, path, 0, NULL) == 0) {
		for (size_t i = 0; i < t.count; i++)
			assert_true(strlen(t.items[i].file) + strlen(t.items[i].name) < 1000000);
	}
	trace_sites_fini(&t);
	if (trace_elf_symbols_open(path, &symbols, NULL) == 0) {
		trace_elf_symbols_find(symbols, 0x1234);
		trace_elf_symbols_close(symbols);
	}
}

/*
 * A small ELF file with a site table, strings, symbols and a build id, whose headers lie at known
 * places, so that every byte of them can be changed.
 */
#define SMALL_SECTIONS 7
struct small_elf {
	Elf64_Ehdr header;
	Elf64_Shdr sections[SMALL_SECTIONS];
	char names[80];
	struct heddle_site sites[2];
	char strings[32];
	Elf64_Sym symbols[2];
	char symbol_names[16];
	char note[36];
};

static void set_section(struct small_elf *f, unsigned i, const char *name, const void *at,
			size_t bytes)
{
	static size_t used;

	if (i == 1)
		used = 1;
	strcpy(f->names + used, name);
	f->sections[i].sh_name = (uint32_t)used;
	used += strlen(name) + 1;
	f->sections[i].sh_type = SHT_PROGBITS;
	f->sections[i].sh_offset = (uint64_t)((const char *)at - (const char *)f);
	f->sections[i].sh_addr = 0x1000 + f->sections[i].sh_offset;
	f->sections[i].sh_size = bytes;
}

static void make_small_elf(struct small_elf *f)
{
	memset(f, 0, sizeof(*f));
	memcpy(f->header.e_ident, ELFMAG, SELFMAG);
	f->header.e_ident[EI_CLASS] = ELFCLASS64;
	f->header.e_ident[EI_DATA] = ELFDATA2LSB;
	f->header.e_machine = EM_X86_64;
	f->header.e_type = ET_DYN;
	f->header.e_shoff = offsetof(struct small_elf, sections);
	f->header.e_shentsize = sizeof(Elf64_Shdr);
	f->header.e_shnum = SMALL_SECTIONS;
	f->header.e_shstrndx = 1;
	set_section(f, 1, ".shstrtab", f->names, sizeof(f->names));
	set_section(f, 2, HEDDLE_SITES_SECTION, f->sites, sizeof(f->sites));
	set_section(f, 3, HEDDLE_STRS_SECTION, f->strings, sizeof(f->strings));
	set_section(f, 4, ".symtab", f->symbols, sizeof(f->symbols));
	f->sections[4].sh_type = SHT_SYMTAB;
	f->sections[4].sh_link = 5;
	set_section(f, 5, ".strtab", f->symbol_names, sizeof(f->symbol_names));
	set_section(f, 6, ".note.gnu.build-id", f->note, sizeof(f->note));
	strcpy(f->strings, "x.c");
	strcpy(f->strings + 4, "main");
	for (unsigned i = 0; i < 2; i++) {
		f->sites[i].file = (int32_t)(f->strings - (char *)&f->sites[i]);
		f->sites[i].func = f->sites[i].file + 4;
	}
	strcpy(f->symbol_names + 1, "counter");
	f->symbols[1].st_name = 1;
	f->symbols[1].st_info = ELF64_ST_INFO(STB_GLOBAL, STT_OBJECT);
	f->symbols[1].st_shndx = 2;
	f->symbols[1].st_value = 0x4000;
	f->symbols[1].st_size = 8;
	memcpy(f->note, "\4\0\0\0\24\0\0\0\3\0\0\0GNU", 16);
	memset(f->note + 16, 0xab, 20);
}

static void the_small_file_is_read(void **state)
{
	char *dir = unit_scratch(), *path = fs_join(dir, "elf");
	struct trace_elf_symbols *symbols;
	struct trace_sites t = {.count = 0};
	struct small_elf f;
	struct trace_elf *elf;
	struct err e = ERR_INIT;
	uint8_t id[32];

	make_small_elf(&f);
	assert_ok(fs_write_file(path, &f, sizeof(f), &e), e);
	assert_ok(trace_elf_sites_add(&t, path, 0, &e), e);
	assert_int_equal(t.count, 2);
	assert_string_equal(t.items[1].func, "main");
	trace_sites_fini(&t);
	assert_ok(trace_elf_open(path, &elf, &e), e);
	assert_int_equal(trace_elf_build_id(elf, id, sizeof(id)), 20);
	assert_int_equal(id[19], 0xab);
	trace_elf_close(elf);
	assert_ok(trace_elf_symbols_open(path, &symbols, &e), e);
	assert_string_equal(trace_elf_symbols_find(symbols, 0x4007)->name, "counter");
	assert_null(trace_elf_symbols_find(symbols, 0x4008));
	trace_elf_symbols_close(symbols);

	/* A distance out of the string section. */
	f.sites[1].name = 1000;
	assert_ok(fs_write_file(path, &f, sizeof(f), &e), e);
	assert_error(trace_elf_sites_add(&t, path, 0, &e), ERR_FORMAT, e);
	assert_contains(e.text, "record 1");
	f.sites[1].name = INT32_MIN;
	assert_ok(fs_write_file(path, &f, sizeof(f), &e), e);
	assert_error(trace_elf_sites_add(&t, path, 0, &e), ERR_FORMAT, e);
	trace_sites_fini(&t);
	assert_ok(fs_remove_flat_dir(dir, &e), e);
	free(path);
	free(dir);
}

static void write_plain(const char *path, const void *bytes, size_t n)
{
	int fd = open(path, O_WRONLY | O_CREAT, 0644);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes, n), n);
	assert_int_equal(ftruncate(fd, (off_t)n), 0);
	close(fd);
}

static void damaged_files_do_no_harm(void **state)
{
	static const unsigned char values[] = {0x00, 0x01, 0x7f, 0x80, 0xff};
	char *dir = unit_scratch(), *path = fs_join(dir, "elf");
	struct small_elf f;
	unsigned char *bytes = (unsigned char *)&f;

	make_small_elf(&f);
	for (size_t at = 0; at < sizeof(f); at++) {
		unsigned char kept = bytes[at];

		for (size_t k = 0; k < sizeof(values); k++) {
			bytes[at] = values[k];
			write_plain(path, &f, sizeof(f));
			read_whatever(path);
		}
		bytes[at] = kept;
	}
	for (size_t n = 0; n < sizeof(f); n += 3) {
		write_plain(path, &f, n);
		read_whatever(path);
	}
	fs_remove_flat_dir(dir, NULL);
	free(path);
	free(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(own_site_table_is_read),
		cmocka_unit_test(modules_number_their_sites),
		cmocka_unit_test(instrumented_files_are_recognised),
		cmocka_unit_test(addresses_have_names),
		cmocka_unit_test(symbols_of_a_stripped_library_are_its_dynamic_ones),
		cmocka_unit_test(the_small_file_is_read),
		cmocka_unit_test(damaged_files_do_no_harm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
