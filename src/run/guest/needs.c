#include "run/guest/needs.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "run/guest/libraries.h"
#include "trace/elf/elf.h"

/* A shorter beginning of a name ("A_") says nothing. */
#define SHORTEST_BEGINNING 4

/* Of the program and its own libraries only: every C library has them all. */
static const char *const hands_on[] = {
	"environ", "__environ", "_environ", "execl",	   "execle",	   "execlp", "execv",
	"execve",  "execvp",	"execvpe",  "fexecve",	   "execveat",	   "system", "popen",
	"wordexp", "dlopen",	"dlmopen",  "posix_spawn", "posix_spawnp",
};

void run_needs_add(struct run_needs *n, const char *name, size_t bytes, bool *found)
{
	vec_push(&n->names, ((struct run_needs_name){name, bytes, found}));
}

void run_needs_fini(struct run_needs *n)
{
	vec_free(&n->names);
}

static bool is_name(const struct run_needs_name *name, const char *word, size_t bytes)
{
	bool is_beginning = word[bytes - 1] == '_' && bytes >= SHORTEST_BEGINNING;

	if (name->bytes != bytes && !(is_beginning && name->bytes > bytes))
		return false;
	return strncasecmp(name->name, word, bytes) == 0;
}

static void look_at(struct run_needs *n, const char *word, size_t bytes, bool is_names)
{
	for (size_t i = 0; i < n->names.count; i++)
		if (is_name(&n->names.items[i], word, bytes))
			*n->names.items[i].found = true;
	for (size_t i = 0; is_names && i < sizeof(hands_on) / sizeof(hands_on[0]); i++)
		if (strlen(hands_on[i]) == bytes && memcmp(hands_on[i], word, bytes) == 0)
			n->all = true;
}

void run_needs_scan(struct run_needs *n, const char *data, size_t bytes, bool is_names)
{
	static bool part[256];
	static bool ready;

	for (int c = 0; !ready && c < 256; c++)
		part[c] = c < 128 && (isalnum(c) || c == '_');
	ready = true;
	for (size_t at = 0; at < bytes;) {
		size_t end = at;

		while (end < bytes && part[(unsigned char)data[end]])
			end++;
		/* Names of one letter are everywhere; so are words of machine code. */
		if (end - at >= 2)
			look_at(n, data + at, end - at, is_names);
		if (end - at == 7 && at > 0 && memcmp(data + at - 1, "/environ", 8) == 0)
			n->all = true;
		at = end + 1;
	}
}

static void look_into(struct run_needs *n, const char *path, bool is_program)
{
	static const char *const sections[] = {".rodata", ".dynstr", ".data", ".data.rel.ro",
					       ".rodata.str1.1"};
	struct trace_elf *elf;
	struct err e = ERR_INIT;

	if (trace_elf_open(path, &elf, &e) != 0) {
		n->all = true;
		return;
	}
	for (size_t i = 0; i < sizeof(sections) / sizeof(sections[0]); i++) {
		struct trace_elf_section s;

		if (!trace_elf_has_section(elf, sections[i]))
			continue;
		if (trace_elf_read(elf, sections[i], &s, &e) != 0) {
			n->all = true;
			continue;
		}
		run_needs_scan(n, s.contents, s.bytes,
			       is_program && strcmp(sections[i], ".dynstr") == 0);
		free(s.contents);
	}
	trace_elf_close(elf);
}

/* Not the system's, which have all the functions there are, and not ours. */
static bool is_users(const char *path)
{
	return strncmp(path, "/lib/", 5) != 0 && strncmp(path, "/usr/lib/", 9) != 0 &&
	       strncmp(path, "/lib64/", 7) != 0 && !strstr(path, "/libheddle");
}

void run_needs_look(struct run_needs *n, const char *path)
{
	struct run_words libraries = VEC_INIT;
	struct err e = ERR_INIT;

	if (n->names.count == 0)
		return;
	look_into(n, path, true);
	/* What cannot be listed cannot be started either; the launch says why. */
	if (!n->all && run_libraries(path, &libraries, &e) != 0)
		n->all = true;
	for (size_t i = 0; !n->all && i < libraries.count; i++)
		look_into(n, libraries.items[i], is_users(libraries.items[i]));
	run_words_fini(&libraries);
}
