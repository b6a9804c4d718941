/* The file in which hunts keep what they know: whatever lies there is refused, or read to its end.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/fs.h"
#include "store/store.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static int each(void *arg, const char *text, uint64_t a, uint64_t b, struct err *e)
{
	size_t *bytes = arg;

	(void)a;
	(void)b;
	(void)e;
	while (*text++)
		(*bytes)++;
	return 0;
}

static int each_place(void *arg, const char *place, uint64_t proofs, struct err *e)
{
	return each(arg, place, proofs, 0, e);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	static const uint8_t key[STORE_KEY_BYTES] = {1};
	char path[64];
	struct store_counts counts;
	struct store *s = NULL;
	struct err e = ERR_INIT;
	size_t bytes = 0;

	snprintf(path, sizeof(path), "/dev/shm/heddle-fuzz-store-%ld", (long)getpid());
	if (fs_write_file(path, data, n, &e) != 0)
		return 0;
	if (store_open(path, false, &s, &e) == 0) {
		(void)store_count(s, 0, &counts, &e);
		(void)store_runs(s, 1, each, &bytes, &e);
		(void)store_places(s, 0, each_place, &bytes, &e);
		(void)store_proof_has(s, 1, key);
		store_close(s);
	}
	unlink(path);
	return 0;
}
