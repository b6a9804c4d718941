/* What a collector has, for people (a page that needs nothing else) and for programs. */
#ifndef HEDDLE_COLLECT_PAGE_H
#define HEDDLE_COLLECT_PAGE_H

#include "store/logs.h"

void collect_page(const struct store_failures *f, struct strbuf *to);
/* {"failures": [...]} */
void collect_page_json(const struct store_failures *f, struct strbuf *to);
/* {..., "hashes": [...]} of one failure; hashes are lines of hexadecimal digits. */
void collect_page_failure(const struct store_failure *f, const struct strbuf *hashes,
			  struct strbuf *to);

#endif
