/*
 * Trace files: RAPID STD, the SpeedyGo/shbee log and the native text form (heddle-trace(5)).
 * Input is never trusted: every error names its line, nothing is read beyond the text.
 */
#ifndef HEDDLE_PREDICT_READ_H
#define HEDDLE_PREDICT_READ_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "predict/read/feed.h"
#include "predict/read/trace.h"

/*
 * FORMAT_RAPID is STD with names taken literally as RAPID does.  FORMAT_STD also takes "fork(12)"
 * as the fork of thread "T12", which is what published traces mean by it.
 */
enum predict_format { FORMAT_AUTO, FORMAT_NATIVE, FORMAT_STD, FORMAT_SPEEDYGO, FORMAT_RAPID };

/* Parses a whole text; the trace is settled.  *out is the caller's. */
int predict_read_text(const char *text, size_t bytes, enum predict_format format, bool strict,
		      struct predict_trace **out, struct err *e);
/* The same from a file. */
int predict_read_file(const char *path, enum predict_format format, bool strict,
		      struct predict_trace **out, struct err *e);

/* FORMAT_* by name, or negative. */
int predict_format_by_name(const char *name);
const char *predict_format_name(enum predict_format format);

/* One line of each format, without its end; ERR_FORMAT with the line number. */
int predict_read_native_line(struct predict_feed *f, struct predict_text line, uint32_t number,
			     struct err *e);
int predict_read_std_line(struct predict_feed *f, struct predict_text line, uint32_t number,
			  bool literal, struct err *e);
/* The log has joins printed before the signal they wait for, so it is read as a whole. */
int predict_read_speedygo(struct predict_feed *f, struct predict_trace *t, struct predict_text all,
			  struct err *e);

/* Cuts the next line off *rest; false at the end. */
bool predict_text_line(struct predict_text *rest, struct predict_text *line);
/* The next line that is neither empty nor a comment, trimmed; counts all it comes by. */
bool predict_text_content(struct predict_text *rest, struct predict_text *line, uint32_t *number);
struct predict_text predict_text_trim(struct predict_text text);

#endif
