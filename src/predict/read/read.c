#include "predict/read/read.h"

#include <stdlib.h>
#include <string.h>

#include "base/fs.h"

#define MAX_BYTES ((size_t)4 << 30)

bool predict_text_line(struct predict_text *rest, struct predict_text *line)
{
	const char *end;

	if (rest->bytes == 0)
		return false;
	end = memchr(rest->at, '\n', rest->bytes);
	line->at = rest->at;
	line->bytes = end != NULL ? (size_t)(end - rest->at) : rest->bytes;
	rest->bytes -= line->bytes + (end != NULL ? 1 : 0);
	rest->at += line->bytes + (end != NULL ? 1 : 0);
	if (line->bytes > 0 && line->at[line->bytes - 1] == '\r')
		line->bytes--;
	return true;
}

struct predict_text predict_text_trim(struct predict_text text)
{
	while (text.bytes > 0 && (*text.at == ' ' || *text.at == '\t')) {
		text.at++;
		text.bytes--;
	}
	while (text.bytes > 0 &&
	       (text.at[text.bytes - 1] == ' ' || text.at[text.bytes - 1] == '\t'))
		text.bytes--;
	return text;
}

bool predict_text_content(struct predict_text *rest, struct predict_text *line, uint32_t *number)
{
	while (predict_text_line(rest, line)) {
		++*number;
		*line = predict_text_trim(*line);
		if (line->bytes > 0 && *line->at != '#')
			return true;
	}
	return false;
}

static const char *const format_names[] = {"auto", "native", "std", "speedygo", "rapid"};

int predict_format_by_name(const char *name)
{
	for (int i = 0; i < 5; i++) {
		if (strcmp(name, format_names[i]) == 0)
			return i;
	}
	return -1;
}

const char *predict_format_name(enum predict_format format)
{
	return format_names[format];
}

static size_t count_char(struct predict_text line, char c)
{
	size_t n = 0;

	for (size_t i = 0; i < line.bytes; i++)
		n += line.at[i] == c;
	return n;
}

/* Decides by the first line that says something. */
static enum predict_format detect(struct predict_text all)
{
	struct predict_text line;

	while (predict_text_line(&all, &line)) {
		line = predict_text_trim(line);
		if (line.bytes == 0 || *line.at == '#')
			continue;
		if (count_char(line, '|') == 2)
			return FORMAT_STD;
		if (count_char(line, ',') >= 3 && count_char(line, '(') == 0)
			return FORMAT_SPEEDYGO;
		break;
	}
	return FORMAT_NATIVE;
}

static int refuse_binary(struct predict_text all, struct err *e)
{
	uint32_t line = 1;

	if (all.bytes == 0)
		return err_set(e, ERR_FORMAT, "the file is empty: no events");
	for (size_t i = 0; i < all.bytes; i++) {
		unsigned char c = (unsigned char)all.at[i];

		line += c == '\n';
		if (c < 0x20 && c != '\n' && c != '\t' && c != '\r')
			return err_set(
				e, ERR_FORMAT,
				"line %u: control character 0x%02x: this is not a text trace", line,
				c);
	}
	return 0;
}

static int read_lines(struct predict_feed *f, struct predict_trace *t, struct predict_text all,
		      enum predict_format format, bool strict, struct err *e)
{
	bool whole = all.bytes > 0 && all.at[all.bytes - 1] == '\n';
	struct predict_text line;
	uint32_t number = 0;
	int code = 0;

	while (code == 0 && predict_text_content(&all, &line, &number)) {
		if (*line.at == '?') {
			predict_trace_ask(t, number, line.at + 1, line.bytes - 1);
			continue;
		}
		if (format == FORMAT_NATIVE)
			code = predict_read_native_line(f, line, number, e);
		else
			code = predict_read_std_line(f, line, number, format == FORMAT_RAPID, e);
		if (code != 0 && all.bytes == 0 && !whole && !strict && t->events.count > 0) {
			predict_trace_warn(t, number,
					   "the file ends in the middle of this line; it is "
					   "ignored and the trace taken as cut off here");
			code = 0;
		}
	}
	return code;
}

int predict_read_text(const char *text, size_t bytes, enum predict_format format, bool strict,
		      struct predict_trace **out, struct err *e)
{
	struct predict_text all = {text, bytes};
	struct predict_trace *t = predict_trace_new();
	struct predict_feed *f = predict_feed_new(t);
	int code = refuse_binary(all, e);

	if (code == 0 && format == FORMAT_AUTO)
		format = detect(all);
	if (code == 0 && format == FORMAT_SPEEDYGO)
		code = predict_read_speedygo(f, t, all, e);
	else if (code == 0)
		code = read_lines(f, t, all, format, strict, e);
	if (code == 0 && t->events.count == 0)
		code = err_set(e, ERR_FORMAT, "no events in the file");
	if (code == 0)
		code = predict_trace_settle(t, strict, e);
	predict_feed_free(f);
	if (code == 0)
		*out = t;
	else
		predict_trace_free(t);
	return code;
}

int predict_read_file(const char *path, enum predict_format format, bool strict,
		      struct predict_trace **out, struct err *e)
{
	char *text = NULL;
	size_t bytes = 0;
	int code = fs_read_file(path, MAX_BYTES, &text, &bytes, e);

	if (code != 0)
		return code;
	code = predict_read_text(text, bytes, format, strict, out, e);
	if (code != 0)
		err_wrap(e, "%s", path);
	free(text);
	return code;
}
