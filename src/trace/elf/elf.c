#include "trace/elf/elf.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "wire/site.h"

/* More sections than any linked file has; bounds what a hostile header can make us allocate. */
#define MAX_SECTIONS 65536u
#define MAX_SECTION_BYTES (UINT64_C(1) << 30)

struct trace_elf {
	int fd;
	uint64_t file_bytes;
	uint32_t section_count;
	Elf64_Shdr *sections;
	char *names; /* section name string table, NUL-terminated */
	uint64_t names_bytes;
};

static int read_at(const struct trace_elf *elf, uint64_t offset, void *to, uint64_t n,
		   struct err *e)
{
	uint64_t done = 0;

	if (offset > elf->file_bytes || n > elf->file_bytes - offset)
		return err_set(e, ERR_FORMAT, "malformed ELF file: data outside of the file");
	while (done < n) {
		ssize_t r = pread(elf->fd, (char *)to + done, n - done, (off_t)(offset + done));

		if (r < 0 && errno == EINTR)
			continue;
		if (r < 0)
			return err_errno(e, ERR_IO, "cannot read");
		if (r == 0)
			return err_set(e, ERR_FORMAT, "the file became shorter while it was read");
		done += (uint64_t)r;
	}
	return 0;
}

static int read_header(const struct trace_elf *elf, Elf64_Ehdr *h, struct err *e)
{
	int rc;

	if (elf->file_bytes < sizeof(*h))
		return err_set(e, ERR_FORMAT, "not an ELF file");
	rc = read_at(elf, 0, h, sizeof(*h), e);
	if (rc)
		return rc;
	if (memcmp(h->e_ident, ELFMAG, SELFMAG))
		return err_set(e, ERR_FORMAT, "not an ELF file");
	if (h->e_ident[EI_CLASS] != ELFCLASS64 || h->e_ident[EI_DATA] != ELFDATA2LSB ||
	    h->e_machine != EM_X86_64)
		return err_set(e, ERR_FORMAT, "not an ELF file for x86-64");
	return 0;
}

/* Reads the section headers; a file without any is fine and has no sections. */
static int read_sections(struct trace_elf *elf, const Elf64_Ehdr *h, struct err *e)
{
	uint64_t count = h->e_shnum;
	Elf64_Shdr first;
	int rc;

	if (h->e_shoff == 0)
		return 0;
	if (h->e_shentsize != sizeof(Elf64_Shdr))
		return err_set(e, ERR_FORMAT, "malformed ELF file: size of section headers");
	rc = read_at(elf, h->e_shoff, &first, sizeof(first), e);
	if (rc)
		return rc;
	/* With 65280 sections and more the number is in the first header. */
	if (count == 0)
		count = first.sh_size;
	if (count == 0 || count > MAX_SECTIONS)
		return err_set(e, ERR_FORMAT, "malformed ELF file: number of sections");
	elf->sections = xcalloc(count, sizeof(*elf->sections));
	elf->section_count = (uint32_t)count;
	return read_at(elf, h->e_shoff, elf->sections, count * sizeof(*elf->sections), e);
}

static int read_names(struct trace_elf *elf, const Elf64_Ehdr *h, struct err *e)
{
	struct trace_elf_section s;
	uint32_t index = h->e_shstrndx;
	int rc;

	if (!elf->section_count)
		return 0;
	if (index == SHN_XINDEX)
		index = elf->sections[0].sh_link;
	rc = trace_elf_read_index(elf, index, &s, e);
	if (rc)
		return rc;
	elf->names = s.contents;
	elf->names_bytes = s.bytes;
	return 0;
}

static int open_file(struct trace_elf *elf, const char *path, struct err *e)
{
	struct stat st;

	elf->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (elf->fd < 0)
		return err_errno(e, errno == ENOENT || errno == ENOTDIR ? ERR_NOT_FOUND : ERR_IO,
				 "cannot open");
	if (fstat(elf->fd, &st))
		return err_errno(e, ERR_IO, "cannot examine");
	if (!S_ISREG(st.st_mode))
		return err_set(e, ERR_FORMAT, "not a regular file");
	elf->file_bytes = (uint64_t)st.st_size;
	return 0;
}

int trace_elf_open(const char *path, struct trace_elf **out, struct err *e)
{
	struct trace_elf *elf = xcalloc(1, sizeof(*elf));
	Elf64_Ehdr h;
	int rc;

	rc = open_file(elf, path, e);
	if (!rc)
		rc = read_header(elf, &h, e);
	if (!rc)
		rc = read_sections(elf, &h, e);
	if (!rc)
		rc = read_names(elf, &h, e);
	if (rc) {
		err_wrap(e, "%s", path);
		trace_elf_close(elf);
		return rc;
	}
	*out = elf;
	return 0;
}

void trace_elf_close(struct trace_elf *elf)
{
	if (!elf)
		return;
	if (elf->fd >= 0)
		close(elf->fd);
	free(elf->sections);
	free(elf->names);
	free(elf);
}

/* Index of the section called name, 0 when there is none. */
static uint32_t find_section(const struct trace_elf *elf, const char *name)
{
	for (uint32_t i = 1; i < elf->section_count; i++) {
		uint32_t at = elf->sections[i].sh_name;

		/* names ends with a NUL of our own, so comparing cannot run out of it. */
		if (at < elf->names_bytes && !strcmp(elf->names + at, name))
			return i;
	}
	return 0;
}

bool trace_elf_has_section(const struct trace_elf *elf, const char *name)
{
	return find_section(elf, name) != 0;
}

uint32_t trace_elf_find_type(const struct trace_elf *elf, uint32_t type)
{
	for (uint32_t i = 1; i < elf->section_count; i++) {
		if (elf->sections[i].sh_type == type)
			return i;
	}
	return 0;
}

int trace_elf_read(const struct trace_elf *elf, const char *name, struct trace_elf_section *out,
		   struct err *e)
{
	uint32_t index = find_section(elf, name);

	if (!index)
		return err_set(e, ERR_NOT_FOUND, "no section %s", name);
	return trace_elf_read_index(elf, index, out, e);
}

int trace_elf_read_index(const struct trace_elf *elf, uint32_t index, struct trace_elf_section *out,
			 struct err *e)
{
	const Elf64_Shdr *h;
	int rc;

	if (index == 0 || index >= elf->section_count)
		return err_set(e, ERR_NOT_FOUND, "no section number %u", index);
	h = &elf->sections[index];
	if (h->sh_type == SHT_NOBITS || (h->sh_flags & SHF_COMPRESSED))
		return err_set(e, ERR_FORMAT,
			       "malformed ELF file: section %u has no plain contents", index);
	if (h->sh_size > MAX_SECTION_BYTES || h->sh_size > elf->file_bytes)
		return err_set(e, ERR_FORMAT, "malformed ELF file: section %u is too large", index);
	out->contents = xmalloc(h->sh_size + 1);
	rc = read_at(elf, h->sh_offset, out->contents, h->sh_size, e);
	if (rc) {
		free(out->contents);
		out->contents = NULL;
		return rc;
	}
	out->contents[h->sh_size] = '\0';
	out->bytes = h->sh_size;
	out->addr = h->sh_addr;
	out->link = h->sh_link;
	out->entry_bytes = h->sh_entsize;
	return 0;
}

size_t trace_elf_build_id(const struct trace_elf *elf, uint8_t *id, size_t max)
{
	struct trace_elf_section s;
	Elf64_Nhdr h;
	size_t n = 0;

	if (trace_elf_read(elf, ".note.gnu.build-id", &s, NULL))
		return 0;
	if (s.bytes >= sizeof(h) + 4) {
		memcpy(&h, s.contents, sizeof(h));
		/* The owner is "GNU" with its NUL, so the id follows at once. */
		if (h.n_type == NT_GNU_BUILD_ID && h.n_namesz == 4 &&
		    !memcmp(s.contents + sizeof(h), ELF_NOTE_GNU, 4) &&
		    h.n_descsz <= s.bytes - sizeof(h) - 4)
			n = h.n_descsz < max ? h.n_descsz : max;
		memcpy(id, s.contents + sizeof(h) + 4, n);
	}
	free(s.contents);
	return n;
}

int trace_elf_check_instrumented(const char *path, struct err *e)
{
	struct trace_elf *elf;
	int rc;

	rc = trace_elf_open(path, &elf, e);
	if (rc)
		return rc;
	if (!trace_elf_has_section(elf, HEDDLE_SITES_SECTION))
		rc = err_set(e, ERR_MISMATCH, "%s is not instrumented: build it with \"heddle cc\"",
			     path);
	trace_elf_close(elf);
	return rc;
}
