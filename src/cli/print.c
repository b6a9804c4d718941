#include "cli/print.h"

#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

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
