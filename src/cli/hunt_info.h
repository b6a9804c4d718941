/* heddle info of the directory of a hunt: which runs there are, and what was proved. */
#ifndef HEDDLE_CLI_HUNT_INFO_H
#define HEDDLE_CLI_HUNT_INFO_H

#include <stdbool.h>

#include "base/err.h"
#include "base/strbuf.h"

/* Whether the directory is one, or the file the store of one. */
bool cli_hunt_info_is(const char *path);

int cli_hunt_info(const char *path, bool json, struct strbuf *to, struct err *e);

#endif
