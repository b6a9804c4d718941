/*
 * Streams and generators of the C library: who uses them first is the schedule's to say (state.h).
 * A stream that is read may have to wait for the world; the library reads through a hidden function
 * of its own, so the descriptor is looked at before.
 */
#include "guest/stable/world/stream.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>

#include "guest/stable/world/channel.h"
#include "guest/stable/hook/hook.h"
#include "guest/stable/hook/outside.h"
#include "guest/stable/world/state.h"
#include "guest/stable/real.h"

static int descriptor_of(FILE *stream)
{
	int saved = errno;
	int fd = stream ? fileno(stream) : -1;
	errno = saved;
	return fd;
}

void stream_closed(FILE *stream)
{
	channel_forget(descriptor_of(stream));
	state_forget(STATE_STREAM, (uintptr_t)stream);
}

HOOK_EXPORT int fclose(FILE *stream)
{
	real_ready();
	stream_closed(stream);
	return real.fclose(stream);
}

/* A stream keeps bytes of its descriptor back: whether it is ready no longer says anything. */
static inline void step_aside(FILE *stream, uintptr_t caller)
{
	if (channel_any())
		channel_give_up(descriptor_of(stream), caller);
}
#define STREAM_HOLD(stream)                                                                        \
	STATE_HOLD(STATE_STREAM, stream);                                                          \
	step_aside(stream, HOOK_CALLER)

/* One call on a stream. */
#define WITH_STREAM(result, name, parameters, arguments, stream)                                   \
	HOOK_EXPORT result name parameters                                                         \
	{                                                                                          \
		real_ready();                                                                      \
		STREAM_HOLD(stream);                                                               \
		return real.name arguments;                                                        \
	}

#undef putc
#undef putchar
WITH_STREAM(int, puts, (const char *text), (text), stdout)
WITH_STREAM(int, putchar, (int c), (c), stdout)
WITH_STREAM(int, fputs, (const char *text, FILE *stream), (text, stream), stream)
WITH_STREAM(int, fputc, (int c, FILE *stream), (c, stream), stream)
WITH_STREAM(int, putc, (int c, FILE *stream), (c, stream), stream)
WITH_STREAM(int, ungetc, (int c, FILE *stream), (c, stream), stream)
WITH_STREAM(size_t, fwrite, (const void *from, size_t size, size_t n, FILE *stream),
	    (from, size, n, stream), stream)
WITH_STREAM(int, fseek, (FILE * stream, long offset, int from), (stream, offset, from), stream)
WITH_STREAM(int, fseeko, (FILE * stream, off_t offset, int from), (stream, offset, from), stream)
WITH_STREAM(long, ftell, (FILE * stream), (stream), stream)
WITH_STREAM(off_t, ftello, (FILE * stream), (stream), stream)

/* All streams: each has a lock, and none is there for all of them. */
HOOK_EXPORT int fflush(FILE *stream)
{
	real_ready();
	if (!stream)
		return real.fflush(NULL);
	STREAM_HOLD(stream);
	return real.fflush(stream);
}

HOOK_EXPORT void rewind(FILE *stream)
{
	real_ready();
	STREAM_HOLD(stream);
	real.rewind(stream);
}

HOOK_EXPORT void perror(const char *text)
{
	real_ready();
	STREAM_HOLD(stderr);
	real.perror(text);
}

/* ---- formatted output and input ---- */

HOOK_EXPORT int vfprintf(FILE *stream, const char *format, va_list values)
{
	real_ready();
	STREAM_HOLD(stream);
	return real.vfprintf(stream, format, values);
}

HOOK_EXPORT int vprintf(const char *format, va_list values)
{
	real_ready();
	STREAM_HOLD(stdout);
	return real.vfprintf(stdout, format, values);
}

HOOK_EXPORT int __vfprintf_chk(FILE *stream, int flag, const char *format, va_list values);
HOOK_EXPORT int __vfprintf_chk(FILE *stream, int flag, const char *format, va_list values)
{
	real_ready();
	STREAM_HOLD(stream);
	return real.__vfprintf_chk(stream, flag, format, values);
}

HOOK_EXPORT int __vprintf_chk(int flag, const char *format, va_list values);
HOOK_EXPORT int __vprintf_chk(int flag, const char *format, va_list values)
{
	real_ready();
	STREAM_HOLD(stdout);
	return real.__vfprintf_chk(stdout, flag, format, values);
}

/* The same with the values as arguments. */
#define WITH_VALUES(name, parameters, stream, original)                                            \
	HOOK_EXPORT int name parameters;                                                           \
	HOOK_EXPORT int name parameters                                                            \
	{                                                                                          \
		va_list values;                                                                    \
		real_ready();                                                                      \
		STREAM_HOLD(stream);                                                               \
		va_start(values, format);                                                          \
		int result = original;                                                             \
		va_end(values);                                                                    \
		return result;                                                                     \
	}

WITH_VALUES(printf, (const char *format, ...), stdout, real.vfprintf(stdout, format, values))
WITH_VALUES(fprintf, (FILE * stream, const char *format, ...), stream,
	    real.vfprintf(stream, format, values))
WITH_VALUES(__printf_chk, (int flag, const char *format, ...), stdout,
	    real.__vfprintf_chk(stdout, flag, format, values))
WITH_VALUES(__fprintf_chk, (FILE * stream, int flag, const char *format, ...), stream,
	    real.__vfprintf_chk(stream, flag, format, values))

HOOK_EXPORT int dprintf(int fd, const char *format, ...)
{
	va_list values;
	real_ready();
	STATE_HOLD_FD(fd, true);
	va_start(values, format);
	int result = real.vdprintf(fd, format, values);
	va_end(values);
	return result;
}

HOOK_EXPORT int vdprintf(int fd, const char *format, va_list values)
{
	real_ready();
	STATE_HOLD_FD(fd, true);
	return real.vdprintf(fd, format, values);
}

static void leave_for(FILE *stream)
{
	if (sched_self)
		outside_leave_for_read(descriptor_of(stream));
}

/* Called fscanf and __isoc99_fscanf, by the standard the program was compiled for. */
#define SCANS(name, parameters, stream, original)                                                  \
	HOOK_EXPORT int name parameters;                                                           \
	HOOK_EXPORT int name parameters                                                            \
	{                                                                                          \
		va_list values;                                                                    \
		real_ready();                                                                      \
		STREAM_HOLD(stream);                                                               \
		leave_for(stream);                                                                 \
		va_start(values, format);                                                          \
		int result = real.original(stream, format, values);                                \
		va_end(values);                                                                    \
		outside_return();                                                                  \
		return result;                                                                     \
	}

SCANS(__isoc99_scanf, (const char *format, ...), stdin, __isoc99_vfscanf)
SCANS(__isoc99_fscanf, (FILE * stream, const char *format, ...), stream, __isoc99_vfscanf)

/* ---- reading ---- */

#define READS(result, name, parameters, arguments, stream)                                         \
	HOOK_EXPORT result name parameters                                                         \
	{                                                                                          \
		real_ready();                                                                      \
		STREAM_HOLD(stream);                                                               \
		leave_for(stream);                                                                 \
		result answer = real.name arguments;                                               \
		outside_return();                                                                  \
		return answer;                                                                     \
	}

#undef getc
#undef getchar
READS(char *, fgets, (char *to, int n, FILE *stream), (to, n, stream), stream)
READS(size_t, fread, (void *to, size_t size, size_t n, FILE *stream), (to, size, n, stream), stream)
READS(int, fgetc, (FILE * stream), (stream), stream)
READS(int, getc, (FILE * stream), (stream), stream)
READS(int, getchar, (void), (), stdin)
READS(ssize_t, getline, (char **to, size_t *n, FILE *stream), (to, n, stream), stream)
READS(ssize_t, getdelim, (char **to, size_t *n, int end, FILE *stream), (to, n, end, stream),
      stream)

/* ---- locks of streams as the program asks for them ---- */

HOOK_EXPORT void flockfile(FILE *stream)
{
	real_ready();
	state_lock_stream(stream, HOOK_CALLER);
	real.flockfile(stream);
}

HOOK_EXPORT int ftrylockfile(FILE *stream)
{
	real_ready();
	pthread_mutex_t *piece = state_enter(STATE_STREAM, (uintptr_t)stream, HOOK_CALLER);
	int result = real.ftrylockfile(stream);
	if (result != 0)
		state_leave(&piece);
	else if (!piece)
		state_lock_stream(stream, HOOK_CALLER);
	return result;
}

HOOK_EXPORT void funlockfile(FILE *stream)
{
	real_ready();
	real.funlockfile(stream);
	state_unlock_stream(stream, HOOK_CALLER);
}

/* ---- generators ---- */

#define DRAWS(generator, result, name, parameters, arguments)                                      \
	HOOK_EXPORT result name parameters                                                         \
	{                                                                                          \
		real_ready();                                                                      \
		STATE_HOLD(STATE_GENERATOR, generator);                                            \
		return real.name arguments;                                                        \
	}

DRAWS(STATE_RANDOM, int, rand, (void), ())
DRAWS(STATE_RANDOM, long, random, (void), ())
DRAWS(STATE_RAND48, double, drand48, (void), ())
DRAWS(STATE_RAND48, long, lrand48, (void), ())
DRAWS(STATE_RAND48, long, mrand48, (void), ())

#define SEEDS(generator, name, type)                                                               \
	HOOK_EXPORT void name(type seed)                                                           \
	{                                                                                          \
		real_ready();                                                                      \
		STATE_HOLD(STATE_GENERATOR, generator);                                            \
		real.name(seed);                                                                   \
	}

SEEDS(STATE_RANDOM, srand, unsigned)
SEEDS(STATE_RANDOM, srandom, unsigned)
SEEDS(STATE_RAND48, srand48, long)
