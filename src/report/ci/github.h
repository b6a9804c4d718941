/* Findings as workflow commands of GitHub, which shows them at their lines in a pull request. */
#ifndef HEDDLE_REPORT_CI_GITHUB_H
#define HEDDLE_REPORT_CI_GITHUB_H

#include "base/strbuf.h"
#include "model/finding.h"

/* One line per finding that has a place; root is the directory that places are relative to, may be
 * NULL. */
void report_github_write(const struct findings *all, const char *root, struct strbuf *to);

#endif
