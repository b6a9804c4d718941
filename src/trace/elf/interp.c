#include "trace/elf/interp.h"

#include <elf.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"

#define LONGEST 4096

/* Where the name lies in the file, and how many bytes it has room for, its NUL included. */
static int find(int fd, const char *path, Elf64_Phdr *found, struct err *e)
{
	Elf64_Ehdr h;

	if (pread(fd, &h, sizeof(h), 0) != (ssize_t)sizeof(h) ||
	    memcmp(h.e_ident, ELFMAG, SELFMAG) || h.e_ident[EI_CLASS] != ELFCLASS64 ||
	    h.e_phentsize != sizeof(*found) || h.e_phoff > INT64_MAX / 2)
		return err_set(e, ERR_FORMAT, "%s is not an ELF executable", path);
	for (unsigned i = 0; i < h.e_phnum; i++) {
		off_t at = (off_t)(h.e_phoff + i * sizeof(*found));

		if (pread(fd, found, sizeof(*found), at) != (ssize_t)sizeof(*found))
			return err_set(e, ERR_FORMAT, "%s is cut short", path);
		if (found->p_type != PT_INTERP)
			continue;
		if (found->p_filesz < 2 || found->p_filesz > LONGEST ||
		    found->p_offset > INT64_MAX / 2)
			return err_set(e, ERR_FORMAT, "%s names a strange linker", path);
		return 0;
	}
	return err_set(e, ERR_NOT_FOUND, "%s names no dynamic linker", path);
}

int trace_elf_interp_get(const char *path, char **interp, struct err *e)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), rc;
	Elf64_Phdr where;
	char *text;

	if (fd < 0)
		return err_errno(e, ERR_IO, "cannot open %s", path);
	rc = find(fd, path, &where, e);
	if (rc == 0) {
		text = xcalloc(1, where.p_filesz + 1);
		if (pread(fd, text, where.p_filesz, (off_t)where.p_offset) < 2) {
			free(text);
			rc = err_set(e, ERR_FORMAT, "%s is cut short", path);
		} else {
			*interp = text;
		}
	}
	close(fd);
	return rc;
}

int trace_elf_interp_set(const char *path, const char *interp, struct err *e)
{
	int fd = open(path, O_RDWR | O_CLOEXEC), rc;
	size_t n = strlen(interp);
	Elf64_Phdr where;
	char *text;

	if (fd < 0)
		return err_errno(e, ERR_IO, "cannot open %s", path);
	rc = find(fd, path, &where, e);
	if (rc == 0 && n >= where.p_filesz)
		rc = err_set(e, ERR_LIMIT, "%s is longer than the name in the program", interp);
	if (rc == 0) {
		text = xcalloc(1, where.p_filesz);
		memcpy(text, interp, n);
		if (pwrite(fd, text, where.p_filesz, (off_t)where.p_offset) !=
		    (ssize_t)where.p_filesz)
			rc = err_errno(e, ERR_IO, "cannot write %s", path);
		free(text);
	}
	close(fd);
	return rc;
}
