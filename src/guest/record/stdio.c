/*
 * What the program reads through streams of the C library, which read their descriptors by
 * themselves.  Files are kept by name; of standard input, unless it is a file, this is all there
 * is: every record says where in it the bytes stood, because threads may share it, and C++ streams
 * put back what they only looked at.
 */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "guest/os/real.h"
#include "guest/os/sys.h"
#include "guest/record/record.h"

static struct {
	bool asked, is_file;
	uint64_t at; /* bytes taken out, under the stream's lock */
} in;

static bool is_piped(FILE *from)
{
	struct stat st;

	if (from != stdin || !rec_ctl || !(rec_ctl->flags & RECORD_INPUTS))
		return false;
	if (!in.asked) {
		in.is_file = sys_call3(SYS_fstat, 0, &st, 0) == 0 && S_ISREG(st.st_mode);
		in.asked = true;
	}
	return !in.is_file;
}

/* A call on a stream under way. */
struct call {
	FILE *from;
	const void *caller;
	bool piped;
};

static struct call begin(FILE *from, const void *caller)
{
	struct call c = {from, caller, is_piped(from)};

	if (c.piped)
		flockfile(from);
	return c;
}

/* n bytes were taken out of the stream; they are the first of the data, when there is any. */
static void end(const struct call *c, struct rec_answer *a, uint64_t n)
{
	a->detail = RECORD_STREAM_OTHER;
	if (c->piped) {
		a->detail = in.at;
		in.at += n;
		funlockfile(c->from);
	}
	a->caller = c->caller;
	/* Whoever is not executed again needs no answers; only standard input has to be whole. */
	if (c->piped || rec_target_instrumented(c->caller))
		rec_input_note(a);
}

static FILE *opened(FILE *f, const char *path, const char *mode, const void *caller)
{
	struct rec_answer a = {.kind = RECORD_IN_FOPEN,
			       .result = f ? fileno(f) : -1,
			       .detail = *mode == 'r' && !strchr(mode, '+') ? 0 : 1,
			       .caller = caller};

	rec_input_opened(&a, path);
	return f;
}

RECORD_EXPORT FILE *fopen(const char *path, const char *mode)
{
	return opened(REAL(fopen)(path, mode), path, mode, REC_CALLER);
}

RECORD_EXPORT FILE *fopen64(const char *path, const char *mode)
{
	return opened(REAL(fopen64)(path, mode), path, mode, REC_CALLER);
}

RECORD_EXPORT size_t fread(void *to, size_t size, size_t n, FILE *from)
{
	struct call c = begin(from, REC_CALLER);
	size_t got = REAL(fread)(to, size, n, from);
	struct rec_answer a = {RECORD_IN_FREAD, (int64_t)got, 0, to, got * size, NULL, false};

	end(&c, &a, a.bytes);
	return got;
}

RECORD_EXPORT char *fgets(char *to, int n, FILE *from)
{
	struct call c = begin(from, REC_CALLER);
	char *got = REAL(fgets)(to, n, from);
	size_t bytes = got ? strlen(to) : 0;
	struct rec_answer a = {RECORD_IN_FGETS,	    got != NULL, 0,    to,
			       got ? bytes + 1 : 0, NULL,	 false};

	end(&c, &a, bytes);
	return got;
}

static int get_character(FILE *from, const void *caller)
{
	struct call c = begin(from, caller);
	int got = REAL(fgetc)(from);
	struct rec_answer a = {.kind = RECORD_IN_FGETC, .result = got, .failed = got < 0};

	end(&c, &a, got >= 0);
	return got;
}

RECORD_EXPORT int fgetc(FILE *from)
{
	return get_character(from, REC_CALLER);
}

RECORD_EXPORT int getc(FILE *from)
{
	return get_character(from, REC_CALLER);
}

RECORD_EXPORT int getchar(void)
{
	return get_character(stdin, REC_CALLER);
}

RECORD_EXPORT int ungetc(int character, FILE *to)
{
	struct call c = begin(to, REC_CALLER);
	int put = REAL(ungetc)(character, to);

	if (c.piped) {
		in.at -= put >= 0 && in.at > 0;
		funlockfile(to);
	}
	return put;
}

RECORD_EXPORT ssize_t getline(char **line, size_t *room, FILE *from)
{
	struct call c = begin(from, REC_CALLER);
	ssize_t got = REAL(getline)(line, room, from);
	uint64_t bytes = got > 0 ? (uint64_t)got : 0;
	struct rec_answer a = {RECORD_IN_GETLINE,	 got,  0,      *line,
			       got >= 0 ? bytes + 1 : 0, NULL, got < 0};

	end(&c, &a, bytes);
	return got;
}
