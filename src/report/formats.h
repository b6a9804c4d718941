/*
 * The formats of formats.def, which write all findings at once, whatever command has them. Commands
 * that report recordings gather findings first, in the operations of report.h.
 */
#ifndef HEDDLE_REPORT_FORMATS_H
#define HEDDLE_REPORT_FORMATS_H

#include "base/strbuf.h"
#include "model/finding.h"
#include "report/report.h"

enum report_format {
#define X(name, help) REPORT_##name,
#include "report/formats.def"
#undef X
	REPORT_FORMATS
};

/* By enum report_format. */
extern const struct report_ops report_formats[REPORT_FORMATS];

/* command: "predict"; version: heddle's. */
#define X(name, help)                                                                              \
	void report_##name##_write(const struct findings *all, const char *command,                \
				   const char *version, struct strbuf *to);
#include "report/formats.def"
#undef X

#endif
