#include "stable/atomics.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

#include "base/fs.h"
#include "stable/x86.h"

#define FILE_LIMIT ((size_t)1 << 30)
#define NEAR 4	      /* instructions in which the flags of an atomic operation are looked at */
#define NUMBER_NEAR 8 /* instructions between the number of a system call and the call */

struct code {
	const unsigned char *bytes;
	size_t count;
};

static bool at(const struct code *c, size_t from, struct x86_insn *i)
{
	return from < c->count && x86_decode(c->bytes + from, c->count - from, i);
}

/* A conditional jump, set or move. */
static bool asks_flags(const struct x86_insn *i)
{
	if (i->vector)
		return false;
	return i->map == 0 ? i->opcode >= 0x70 && i->opcode <= 0x7f
			   : i->map == 1 && ((i->opcode >= 0x80 && i->opcode <= 0x9f) ||
					     (i->opcode >= 0x40 && i->opcode <= 0x4f));
}

/* Moves leave the flags as they are. */
static bool is_move(const struct x86_insn *i)
{
	return i->map == 0 && ((i->opcode >= 0x88 && i->opcode <= 0x8d) ||
			       (i->opcode >= 0xb0 && i->opcode <= 0xbf) || i->opcode == 0xc7);
}

static bool flags_decide(const struct code *c, size_t from)
{
	struct x86_insn i;

	for (int n = 0; n < NEAR && at(c, from, &i); n++, from += i.length) {
		if (asks_flags(&i))
			return true;
		if (!is_move(&i))
			return false;
	}
	return false;
}

/* Exchanges and additions yield the former value; the others decide by the flags they leave. */
static bool is_atomic(const struct code *c, size_t from, const struct x86_insn *i)
{
	if (!x86_in_memory(i) || i->vector)
		return false;
	if (i->map == 0 && (i->opcode == 0x86 || i->opcode == 0x87))
		return true;
	if (!i->locked)
		return false;
	if (i->map == 1 &&
	    ((i->opcode & 0xfe) == 0xb0 || (i->opcode & 0xfe) == 0xc0 || i->opcode == 0xc7))
		return true;
	return flags_decide(c, from + i->length);
}

/* The number was put into its register shortly before, and it is not that of a futex. */
static bool is_other_call(const uint32_t *numbers, uint32_t seen)
{
	for (uint32_t n = 0; n < NUMBER_NEAR && n < seen; n++) {
		uint32_t number = numbers[(seen - 1 - n) % NUMBER_NEAR];

		if (number != UINT32_MAX)
			return number != SYS_futex;
	}
	return false;
}

static void note(struct stable_ctl *ctl, enum stable_loose what, uint64_t pc)
{
	/* Places are named like return addresses: a little behind. */
	if (ctl->loose[what].count++ == 0)
		ctl->loose[what].pc = pc ? pc + 1 : 0;
}

/*
 * Notes the first place that matters, and says whether there was one: the rest of a large library
 * would only cost time.  base 0: the places of this program have no names here.
 */
static bool scan(struct stable_ctl *ctl, const struct code *c, uint64_t base)
{
	uint32_t numbers[NUMBER_NEAR], seen = 0;
	struct x86_insn i;

	for (size_t from = 0; from < c->count; from += i.length) {
		bool atomic, calls;

		if (!at(c, from, &i)) {
			i.length = 1;
			continue;
		}
		atomic = is_atomic(c, from, &i);
		calls = i.map == 1 && i.opcode == 0x05 && !i.vector &&
			!is_other_call(numbers, seen);
		if (atomic || calls) {
			note(ctl, atomic ? STABLE_LOOSE_ATOMIC : STABLE_LOOSE_CALL,
			     base ? base + from : 0);
			return true;
		}
		numbers[seen++ % NUMBER_NEAR] =
			i.map == 0 && i.opcode == 0xb8 ? i.immediate : UINT32_MAX;
	}
	return false;
}

/* Where code lies whose atomic operations are scheduled; empty when there is none. */
static struct code find_ordered(const char *bytes, size_t n, const Elf64_Ehdr *h)
{
	Elf64_Shdr names, s;

	if (h->e_shentsize != sizeof(s) || h->e_shoff > n ||
	    (uint64_t)h->e_shnum * sizeof(s) > n - h->e_shoff || h->e_shstrndx >= h->e_shnum)
		return (struct code){NULL, 0};
	memcpy(&names, bytes + h->e_shoff + h->e_shstrndx * sizeof(s), sizeof(s));
	if (names.sh_offset > n || names.sh_size > n - names.sh_offset)
		return (struct code){NULL, 0};
	for (uint64_t i = 0; i < h->e_shnum; i++) {
		static const char name[] = STABLE_ORDERED_TEXT;

		memcpy(&s, bytes + h->e_shoff + i * sizeof(s), sizeof(s));
		if (s.sh_name >= names.sh_size || names.sh_size - s.sh_name < sizeof(name) ||
		    memcmp(bytes + names.sh_offset + s.sh_name, name, sizeof(name)) != 0)
			continue;
		if (s.sh_type == SHT_PROGBITS && s.sh_offset <= n && s.sh_size <= n - s.sh_offset)
			return (struct code){(const unsigned char *)bytes + s.sh_offset, s.sh_size};
	}
	return (struct code){NULL, 0};
}

/* The parts of a segment before and behind what is scheduled. */
static bool scan_around(struct stable_ctl *ctl, const struct code *c, const struct code *ordered,
			uint64_t base)
{
	const unsigned char *end = c->bytes + c->count, *behind = ordered->bytes + ordered->count;
	struct code before = *c, after = {behind, (size_t)(end - behind)};

	if (!ordered->bytes || ordered->bytes < c->bytes || behind > end)
		return scan(ctl, c, base);
	before.count = (size_t)(ordered->bytes - c->bytes);
	return scan(ctl, &before, base) ||
	       scan(ctl, &after, base ? base + (uint64_t)(behind - c->bytes) : 0);
}

static void scan_file(struct stable_ctl *ctl, const char *path, uint64_t base)
{
	struct err e = ERR_INIT;
	char *bytes = NULL;
	size_t n = 0;
	struct code ordered;
	Elf64_Ehdr h;

	if (fs_read_file(path, FILE_LIMIT, &bytes, &n, &e) != 0 || n < sizeof(h))
		goto out;
	memcpy(&h, bytes, sizeof(h));
	if (memcmp(h.e_ident, ELFMAG, SELFMAG) != 0 || h.e_phentsize != sizeof(Elf64_Phdr))
		goto out;
	ordered = find_ordered(bytes, n, &h);
	for (uint64_t i = 0; i < h.e_phnum; i++) {
		Elf64_Phdr p;
		struct code c;

		if (h.e_phoff > n || (i + 1) * sizeof(p) > n - h.e_phoff)
			break;
		memcpy(&p, bytes + h.e_phoff + i * sizeof(p), sizeof(p));
		if (p.p_type != PT_LOAD || !(p.p_flags & PF_X) || p.p_offset > n ||
		    p.p_filesz > n - p.p_offset)
			continue;
		c = (struct code){(const unsigned char *)bytes + p.p_offset, p.p_filesz};
		if (scan_around(ctl, &c, &ordered, base ? base + p.p_vaddr : 0))
			break;
	}
out:
	free(bytes);
}

/*
 * The C library and what belongs to it synchronise by what is interposed, or by operations nobody
 * sees the order of; libgomp is replaced or said otherwise; and there is ours.
 */
static bool is_known(const char *path)
{
	static const char *const names[] = {
		"/ld-linux", "/libc.so",   "/libm.so", "/libdl.so", "/libpthread.so", "/librt.so",
		"/libgcc_s", "/libstdc++", "/libgomp", "/libomp",   "/libheddle"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strstr(path, names[i]))
			return true;
	}
	return path[0] != '/';
}

static void scan_path(struct stable_ctl *ctl, const char *text, uint64_t base)
{
	char path[STABLE_PATH + 1] = "";

	memcpy(path, text, STABLE_PATH);
	if (!is_known(path))
		scan_file(ctl, path, base);
}

/* The files of processes that the program started, as far as they are not its own. */
static bool is_own(const struct stable_ctl *ctl, const char *path)
{
	for (uint32_t i = 0; ctl->peak > 1 && i < ctl->modules && i < STABLE_MODULES; i++) {
		if (strncmp(ctl->module[i].path, path, STABLE_PATH) == 0)
			return true;
	}
	return false;
}

void stable_atomics_note(struct stable_ctl *ctl)
{
	if (ctl->flags & STABLE_FLAG_SERIAL)
		return;
	for (uint32_t i = 0; ctl->peak > 1 && i < ctl->modules && i < STABLE_MODULES; i++)
		scan_path(ctl, ctl->module[i].path, ctl->module[i].base);
	for (uint32_t i = 0; i < ctl->programs && i < STABLE_PROGRAMS; i++) {
		if (!is_own(ctl, ctl->program[i]))
			scan_path(ctl, ctl->program[i], 0);
	}
}
