/* ELF files: site table, symbols, build id. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "trace/elf/elf.h"
#include "trace/elf/elf_sites.h"
#include "trace/elf/elf_symbols.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void try_sites(const char *path)
{
	struct trace_sites t = {.count = 0};
	struct err e = ERR_INIT;
	size_t length = 0;

	if (trace_elf_sites_add(&t, path, 0, &e) == 0) {
		for (size_t i = 0; i < t.count; i++)
			length += strlen(t.items[i].file) + strlen(t.items[i].dir) +
				  strlen(t.items[i].func) + strlen(t.items[i].name);
		if (length == SIZE_MAX)
			abort();
	}
	trace_sites_fini(&t);
}

static void try_symbols(const char *path)
{
	struct trace_elf_symbols *symbols;
	struct err e = ERR_INIT;

	if (trace_elf_symbols_open(path, &symbols, &e))
		return;
	for (uint64_t addr = 0x1000; addr < 0x5000; addr += 0x100) {
		const struct trace_elf_symbol *s = trace_elf_symbols_find(symbols, addr);

		if (s &&
		    (addr < s->addr || addr - s->addr >= s->bytes || strlen(s->name) > 1u << 20))
			abort();
	}
	trace_elf_symbols_close(symbols);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	struct trace_elf *elf;
	struct err e = ERR_INIT;
	uint8_t id[20];
	char path[64];

	if (fd < 0 || write(fd, data, n) != (ssize_t)n)
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	trace_elf_check_instrumented(path, &e);
	if (trace_elf_open(path, &elf, &e) == 0) {
		if (trace_elf_build_id(elf, id, sizeof(id)) > sizeof(id))
			abort();
		trace_elf_close(elf);
	}
	try_sites(path);
	try_symbols(path);
	close(fd);
	return 0;
}
