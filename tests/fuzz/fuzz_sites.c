/* The site table and the symbols; the first byte tells which. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "trace/elf/sites.h"
#include "trace/elf/symbols.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void try_sites(const uint8_t *data, size_t n)
{
	struct trace_sites t = {.count = 0}, back = {.count = 0};
	struct strbuf text = STRBUF_INIT;
	struct err e = ERR_INIT;

	if (trace_sites_decode(&t, data, n, &e) == 0) {
		for (size_t i = 0; i < t.count; i++) {
			if (trace_sites_find(&t, t.items[i].id) != &t.items[i])
				abort();
			strbuf_clear(&text);
			trace_site_place(&t.items[i], i & 1, &text);
		}
		strbuf_clear(&text);
		trace_sites_encode(&t, &text);
		if (trace_sites_decode(&back, text.text, text.length, &e) || back.count != t.count)
			abort();
	}
	trace_sites_fini(&t);
	trace_sites_fini(&back);
	strbuf_free(&text);
}

static void try_symbols(const uint8_t *data, size_t n)
{
	struct trace_symbols t = {.count = 0};
	struct strbuf text = STRBUF_INIT;
	struct err e = ERR_INIT;

	if (trace_symbols_decode(&t, data, n, &e) == 0) {
		for (size_t i = 0; i < t.count; i++) {
			if (trace_symbols_find(&t, t.items[i].addr) != &t.items[i] ||
			    !trace_symbols_print(&t, t.items[i].addr, &text))
				abort();
		}
	}
	trace_symbols_fini(&t);
	strbuf_free(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	if (n == 0)
		return 0;
	if (data[0] & 1)
		try_sites(data + 1, n - 1);
	else
		try_symbols(data + 1, n - 1);
	return 0;
}
