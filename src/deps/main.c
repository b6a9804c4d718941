/*
 * heddle-deps BINARY: writes the table of dependences of an instrumented binary to standard output
 * (explore/published/static_deps.h says how it looks).  A program of its own because loading LLVM
 * takes longer than most of what heddle does.
 */
#include <stdio.h>
#include <string.h>

#include "base/strbuf.h"
#include "deps/deps.h"
#include "deps/elements.h"
#include "deps/marks.h"

static void add_u32(struct strbuf *b, uint32_t v)
{
	char bytes[4] = {(char)v, (char)(v >> 8), (char)(v >> 16), (char)(v >> 24)};

	strbuf_add_bytes(b, bytes, sizeof(bytes));
}

static void add_row(struct strbuf *b, struct deps *d, uint32_t read, uint32_t sites)
{
	add_u32(b, read);
	add_u32(b, 0);
	for (uint32_t at = 0; at < (sites / 64 + 1) * 64; at += 32) {
		uint32_t word = 0;

		for (uint32_t i = 0; i < 32 && at + i < sites; i++)
			word |= (uint32_t)deps_depends(d, read, at + i) << i;
		add_u32(b, word);
	}
}

static int write_table(struct deps *d)
{
	uint32_t sites = deps_stats(d).sites, rows = 0;
	struct strbuf b = STRBUF_INIT;
	bool fine;

	for (uint32_t i = 0; i < sites; i++)
		rows += deps_returns(d, i);
	strbuf_add_bytes(&b, "HDDEPS1", 8);
	add_u32(&b, sites);
	add_u32(&b, rows);
	fine = fwrite(b.text, 1, b.length, stdout) == b.length;
	for (uint32_t i = 0; i < sites && fine; i++) {
		if (!deps_returns(d, i))
			continue;
		b.length = 0;
		add_row(&b, d, i, sites);
		fine = fwrite(b.text, 1, b.length, stdout) == b.length;
	}
	strbuf_free(&b);
	return fine && !fflush(stdout) ? 0 : 3;
}

/* Which points of the program have to be recorded, or where they are (marks.h). */
static int write_bytes(const char *path,
		       int (*make)(const char *path, struct strbuf *out, struct err *e))
{
	struct strbuf b = STRBUF_INIT;
	struct err e = ERR_INIT;
	int rc = make(path, &b, &e);

	if (!rc && (fwrite(b.text, 1, b.length, stdout) != b.length || fflush(stdout)))
		rc = err_set(&e, ERR_IO, "cannot write the marks");
	if (rc)
		fprintf(stderr, "heddle-deps: %s\n", e.text);
	strbuf_free(&b);
	return rc ? 3 : 0;
}

int main(int argc, char **argv)
{
	struct err e = ERR_INIT;
	struct deps *d;
	int status;

	if (argc == 3 && !strcmp(argv[1], "--marks"))
		return write_bytes(argv[2], deps_marks);
	if (argc == 3 && !strcmp(argv[1], "--points"))
		return write_bytes(argv[2], deps_marks_points);
	if (argc == 3 && !strcmp(argv[1], "--elements"))
		return write_bytes(argv[2], deps_elements);
	if (argc == 3 && !strcmp(argv[1], "--blocks"))
		return write_bytes(argv[2], deps_blocks);
	if (argc != 2 || !strcmp(argv[1], "--help")) {
		fprintf(stderr, "usage: heddle-deps BINARY >TABLE\n"
				"       heddle-deps --marks BINARY >MARKS\n"
				"       heddle-deps --points BINARY >POINTS\n"
				"       heddle-deps --elements BINARY >ELEMENTS\n"
				"       heddle-deps --blocks BINARY >BLOCKS\n");
		return 2;
	}
	if (deps_load(argv[1], &d, &e)) {
		fprintf(stderr, "heddle-deps: %s\n", e.text);
		return 3;
	}
	status = write_table(d);
	if (status)
		fprintf(stderr, "heddle-deps: cannot write the table\n");
	deps_free(d);
	return status;
}
