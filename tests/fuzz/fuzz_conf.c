/* heddle.conf. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "cli/conf.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct cli_conf c = {.path = NULL};
	struct err e = ERR_INIT;
	char *text = xmalloc(n + 1);

	memcpy(text, data, n);
	text[n] = '\0';
	if (cli_conf_parse(&c, "heddle.conf", text, &e) != 0 && e.code != ERR_USAGE)
		abort();
	/* Lines come in their order, and nothing has blanks around it. */
	for (size_t i = 0; i < c.entries.count; i++) {
		const struct cli_conf_entry *entry = &c.entries.items[i];

		if ((i && entry->line <= entry[-1].line) || strpbrk(entry->value, "\n") ||
		    strchr(" \t", entry->name[0] ? entry->name[0] : 'x'))
			abort();
	}
	cli_conf_fini(&c);
	free(text);
	return 0;
}
