/* Tables of static dependences. */
#include <stdint.h>
#include <stdlib.h>

#include "explore/published/static_deps.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct static_deps *d = NULL;
	struct err e = ERR_INIT;
	unsigned yes = 0;

	if (static_deps_parse(data, n, &d, &e))
		return 0;
	for (uint32_t read = 0; read < 40; read++)
		for (uint32_t event = 0; event < 40; event++)
			yes += static_deps_depends(d, read, event);
	if (yes > 1600)
		abort();
	static_deps_free(d);
	return 0;
}
