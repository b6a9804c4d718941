#include "cli/explain/forms.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/fs.h"
#include "cli/version.h"
#include "report/explain/explain.h"

static int columns(void)
{
	struct winsize size;

	if (!isatty(STDOUT_FILENO) || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 ||
	    size.ws_col < 40)
		return 0;
	return size.ws_col < 200 ? size.ws_col : 200;
}

static struct report_explain_opts options_for(const char *dir)
{
	const char *no_color = getenv("NO_COLOR");

	return (struct report_explain_opts){
		.bundle = dir,
		.color = isatty(STDOUT_FILENO) && !(no_color && no_color[0]),
		.width = columns(),
		.version = HEDDLE_VERSION,
	};
}

static int write_file(const char *path, const struct strbuf *text, struct err *e)
{
	FILE *f = fopen(path, "w");
	bool ok;

	if (!f)
		return err_errno(e, ERR_IO, "cannot write %s", path);
	ok = fwrite(text->text ? text->text : "", 1, text->length, f) == text->length;
	if (fclose(f) != 0 || !ok)
		return err_errno(e, ERR_IO, "cannot write %s", path);
	return 0;
}

static int write_files(const struct cli_explain_forms *f, const struct explanation *x,
		       const struct report_explain_opts *o, struct err *e)
{
	struct strbuf text = STRBUF_INIT;
	int rc = 0;

	if (f->html) {
		report_explain_html(x, o, &text);
		rc = write_file(f->html, &text, e);
		strbuf_clear(&text);
	}
	if (rc == 0 && f->dot) {
		report_explain_dot(x, &text);
		rc = write_file(f->dot, &text, e);
		strbuf_clear(&text);
	}
	if (rc == 0 && f->chrome) {
		report_explain_chrome(x, &text);
		rc = write_file(f->chrome, &text, e);
	}
	strbuf_free(&text);
	return rc;
}

int cli_explain_write(const struct cli_explain_forms *f, const struct explanation *x,
		      const char *dir, struct err *e)
{
	struct report_explain_opts o = options_for(dir);
	struct strbuf text = STRBUF_INIT;
	int rc = write_files(f, x, &o, e);

	if (rc == 0) {
		if (f->json)
			report_explain_json(x, &o, &text);
		else if (f->sarif)
			report_explain_sarif(x, &o, &text);
		else
			report_explain_term(x, &o, &text);
		fwrite(text.text, 1, text.length, stdout);
		if (fflush(stdout) != 0)
			rc = err_errno(e, ERR_IO, "cannot write standard output");
	}
	strbuf_free(&text);
	return rc;
}
