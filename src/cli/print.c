#include "cli/print.h"

#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/limit.h"
#include "report/json.h"
#include "report/term.h"

static int columns(FILE *stream)
{
	struct winsize size;

	if (ioctl(fileno(stream), TIOCGWINSZ, &size) != 0 || size.ws_col < 40)
		return 0;
	return size.ws_col < 200 ? size.ws_col : 200;
}

const struct report_ops *cli_print_format(const bool chosen[REPORT_FORMATS], bool json)
{
	for (int i = 0; i < REPORT_FORMATS; i++)
		if (chosen[i])
			return &report_formats[i];
	return json ? &report_json : &report_term;
}

void cli_print_begin(struct report *r, const struct report_ops *format, FILE *stream)
{
	const char *no_color = getenv("NO_COLOR");

	r->ops = format;
	r->color = format == &report_term && isatty(fileno(stream)) && !(no_color && no_color[0]);
	r->width = isatty(fileno(stream)) ? columns(stream) : 0;
	report_begin(r);
}

void cli_print_report(struct report *r, FILE *stream)
{
	if (r->to.text)
		fputs(r->to.text, stream);
	fflush(stream);
	strbuf_clear(&r->to);
}

void cli_print_answer(const struct cli_answer *a, const struct cli_kept *const *kept, size_t n)
{
	struct report report = {.ops = NULL};
	struct report_summary summary = {
		.command = a->command, .text = a->text, .exit_code = a->exit_code};

	cli_print_begin(&report, &report_term, stdout);
	for (size_t i = 0; i < n; i++) {
		struct report_finding row = {
			.bundle = &kept[i]->bundle, .dir = kept[i]->path, .weak = &kept[i]->weak};

		report_add(&report, &row);
	}
	report_end(&report, &summary);
	cli_print_report(&report, stdout);
	strbuf_free(&report.to);
}

void cli_print_json_end(const struct cli_answer *a, struct json_out *j, struct strbuf *to)
{
	json_out_real(j, "seconds", (double)(limit_now() - a->begin_ns) / 1e9);
	json_out_string(j, "text", a->text);
	json_out_int(j, "exit_code", a->exit_code);
	json_out_object_end(j);
	strbuf_add_char(to, '\n');
}
